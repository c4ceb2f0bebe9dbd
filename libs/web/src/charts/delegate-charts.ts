import type { DelegateRound, StatusNetwork, WeightPoint } from '@roundhouse/client';
import { exactAmount, shortAmount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { amountMarks } from './amount-marks.js';
import { chartFigure } from './chart.js';
import { levelOfRank, levelsOfAmounts, line, lineEnds, type Mark } from './line.js';
import { dayOf } from './series-charts.js';

/** Where a delegate stood at a moment. */
type Standing = Pick<DelegateRound, 'height' | 'weight' | 'rank'> & { readonly when: string };

/** How the moments of a chart are named. */
interface Moments {
  /** Begins the ids of the charts. */
  readonly id: string;
  /** Ends their titles. */
  readonly title: string;
  readonly head: string;
  readonly noun: string;
  readonly after: string;
}

const ROUNDS: Moments = { id: '', title: 'at round ends', head: 'Round', noun: 'round ', after: 'after' };

const PERIODS: Moments = {
  id: 'long-',
  title: 'over time',
  head: 'Period from',
  noun: '',
  after: 'in the period of',
};

/** Consecutive moments, oldest first: at least one. */
interface Ends {
  readonly moments: Moments;
  readonly points: readonly Standing[];
  readonly first: Standing;
  readonly last: Standing;
}

/** "From 5 after round 7 to 6 after round 9", or "After round 7: 5" of a single one. */
const fromTo = ({ moments, first, last }: Ends, textOf: (each: Standing) => string): string => {
  const { after, noun } = moments;
  const at = (each: Standing): string => `${textOf(each)} ${after} ${noun}${each.when}`;
  return first === last ? `After ${noun}${last.when}: ${textOf(last)}` : `From ${at(first)} to ${at(last)}`;
};

const labelsOf = ({ moments: { noun }, first, last }: Ends): Html | null =>
  first === last ? null : lineEnds(`${noun}${first.when}`, `${noun}${last.when}`);

const changeOf = ({ first, last }: Ends, symbol: string): string => {
  const change = last.weight - first.weight;
  if (change === 0n) return '';
  return change > 0n ? `: ${shortAmount(change)} ${symbol} more` : `: ${shortAmount(-change)} ${symbol} less`;
};

const weightChart = (ends: Ends, { symbol, token }: StatusNetwork): Html => {
  const { moments, points } = ends;
  const weights = points.map(({ weight }) => weight);
  const range = fromTo(ends, ({ weight }) => `${shortAmount(weight)} ${symbol}`);
  return chartFigure({
    id: `${moments.id}weights`,
    title: `Weight ${moments.title}`,
    description: `${range}${changeOf(ends, symbol)}.`,
    drawing: [line(levelsOfAmounts(weights), amountMarks(weights)), labelsOf(ends)],
    table: {
      heads: [moments.head, 'Last height', `Weight in ${token}`],
      rows: points.map(({ when, height, weight }) => [when, formatWhole(height), exactAmount(weight)]),
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
  const { moments, points } = ends;
  const lowest = points.reduce((most, { rank }) => Math.max(most, rank ?? 1), activeDelegates);
  const levels = points.map(({ rank }) => rank && levelOfRank(rank, lowest));
  const range = fromTo(ends, ({ rank }) => (rank === null ? 'no rank' : `rank ${formatWhole(rank)}`));
  return chartFigure({
    id: `${moments.id}ranks`,
    title: `Rank ${moments.title}`,
    description: `${range}; the first ${formatWhole(activeDelegates)} forge.`,
    drawing: [line(levels, rankMarks(activeDelegates, lowest)), labelsOf(ends)],
    table: {
      heads: [moments.head, 'Last height', 'Rank'],
      rows: points.map(({ when, height, rank }) => [
        when,
        formatWhole(height),
        rank === null ? '–' : formatWhole(rank),
      ]),
    },
  });
};

const chartsOf = (moments: Moments, points: readonly Standing[], network: StatusNetwork): Html | null => {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const ends = { moments, points, first, last };
  return html`${weightChart(ends, network)}
  ${points.some(({ rank }) => rank !== null) && rankChart(ends, network)}`;
};

/**
 * A delegate's weight and rank over its last rounds and over all its time; nothing without rounds.
 * @param newestFirst as the API lists them
 * @param periods those that it has existed for, oldest first; drawn from two on
 */
export const delegateCharts = (
  newestFirst: readonly DelegateRound[],
  periods: readonly WeightPoint[],
  network: StatusNetwork,
): Html | null => {
  if (newestFirst.length === 0) return null;
  const rounds = newestFirst.map((each) => ({ ...each, when: formatWhole(each.round) })).reverse();
  const all = periods.map((each) => ({ ...each, when: dayOf(each) }));
  return html`<section id="rounds" aria-labelledby="rounds-title">
    <h2 id="rounds-title" class="unseen">Weight and rank</h2>
    <div class="charts">
      ${chartsOf(ROUNDS, rounds, network)} ${all.length > 1 && chartsOf(PERIODS, all, network)}
    </div>
  </section>`;
};
