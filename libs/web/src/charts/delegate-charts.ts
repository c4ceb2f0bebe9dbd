import type { DelegateRound, StatusNetwork } from '@roundhouse/client';
import { exactAmount, shortAmount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { chartFigure } from './chart.js';
import { HEIGHT, WIDTH } from './columns.js';
import { levelOfRank, levelsOfAmounts, line, lineEnds, type Mark } from './line.js';

/** The ends of consecutive rounds, oldest first: at least one. */
interface Ends {
  readonly rounds: readonly DelegateRound[];
  readonly first: DelegateRound;
  readonly last: DelegateRound;
}

/** "From 5 after round 7 to 6 after round 9", or "After round 7: 5" of a single one. */
const fromTo = ({ first, last }: Ends, textOf: (each: DelegateRound) => string): string => {
  const after = (each: DelegateRound): string => `${textOf(each)} after round ${formatWhole(each.round)}`;
  return first === last
    ? `After round ${formatWhole(last.round)}: ${textOf(last)}`
    : `From ${after(first)} to ${after(last)}`;
};

const labelsOf = ({ first, last }: Ends): Html | null =>
  first === last ? null : lineEnds(`round ${formatWhole(first.round)}`, `round ${formatWhole(last.round)}`);

const changeOf = ({ first, last }: Ends, symbol: string): string => {
  const change = last.weight - first.weight;
  if (change === 0n) return '';
  return change > 0n ? `: ${shortAmount(change)} ${symbol} more` : `: ${shortAmount(-change)} ${symbol} less`;
};

/** The smallest and the largest weight. If they look the same in short, the largest is shown as the difference. */
const weightMarks = (weights: readonly bigint[]): Mark[] => {
  const [smallest = 0n, ...others] = [...weights].sort((a, b) => (a < b ? -1 : 1));
  const largest = others.at(-1) ?? smallest;
  const [low, high] = [shortAmount(smallest), shortAmount(largest)];
  if (smallest === largest) return [{ level: 0.5, label: low }];
  return [
    { level: 0, label: low },
    { level: 1, label: low === high ? `+ ${shortAmount(largest - smallest)}` : high },
  ];
};

const weightChart = (ends: Ends, { symbol, token }: StatusNetwork): Html => {
  const { rounds } = ends;
  const weights = rounds.map(({ weight }) => weight);
  const range = fromTo(ends, ({ weight }) => `${shortAmount(weight)} ${symbol}`);
  return chartFigure({
    id: 'weights',
    title: 'Weight at round ends',
    description: `${range}${changeOf(ends, symbol)}.`,
    width: WIDTH,
    height: HEIGHT,
    drawing: [line(levelsOfAmounts(weights), weightMarks(weights)), labelsOf(ends)],
    table: {
      heads: ['Round', 'Last height', `Weight in ${token}`],
      rows: rounds.map(({ round, height, weight }) => [
        formatWhole(round),
        formatWhole(height),
        exactAmount(weight),
      ]),
    },
  });
};

/** Labels closer than this would touch. */
const LEAST_DISTANCE = 0.15;

/** Rank 1, the last one that forges, and the lowest. */
const rankMarks = (activeDelegates: number, lowest: number): Mark[] =>
  [...new Set([1, activeDelegates, lowest])].map((rank) => {
    const level = levelOfRank(rank, lowest);
    const isClose = rank !== 1 && rank !== lowest && Math.min(level, 1 - level) < LEAST_DISTANCE;
    return { level, label: isClose ? '' : formatWhole(rank) };
  });

const rankChart = (ends: Ends, { activeDelegates }: StatusNetwork): Html => {
  const { rounds } = ends;
  const lowest = rounds.reduce((most, { rank }) => Math.max(most, rank ?? 1), activeDelegates);
  const levels = rounds.map(({ rank }) => rank && levelOfRank(rank, lowest));
  const range = fromTo(ends, ({ rank }) => (rank === null ? 'no rank' : `rank ${formatWhole(rank)}`));
  return chartFigure({
    id: 'ranks',
    title: 'Rank at round ends',
    description: `${range}; the first ${formatWhole(activeDelegates)} forge.`,
    width: WIDTH,
    height: HEIGHT,
    drawing: [line(levels, rankMarks(activeDelegates, lowest)), labelsOf(ends)],
    table: {
      heads: ['Round', 'Last height', 'Rank'],
      rows: rounds.map(({ round, height, rank }) => [
        formatWhole(round),
        formatWhole(height),
        rank === null ? '–' : formatWhole(rank),
      ]),
    },
  });
};

/**
 * A delegate's weight and rank over its last rounds; nothing without rounds.
 * @param newestFirst as the API lists them
 */
export const delegateCharts = (
  newestFirst: readonly DelegateRound[],
  network: StatusNetwork,
): Html | null => {
  const rounds = [...newestFirst].reverse();
  const [first] = rounds;
  const last = rounds.at(-1);
  if (!first || !last) return null;
  const ends = { rounds, first, last };
  return html`<section id="rounds" aria-labelledby="rounds-title">
    <h2 id="rounds-title" class="unseen">The last rounds</h2>
    <div class="charts">
      ${weightChart(ends, network)} ${rounds.some(({ rank }) => rank !== null) && rankChart(ends, network)}
    </div>
  </section>`;
};
