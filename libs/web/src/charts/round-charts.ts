import type { ChainStatusResponse, PastRound } from '@roundhouse/client';
import { counted, formatRate, formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { chartFigure } from './chart.js';
import { columns, ends } from './columns.js';

const blocksPerMinute = ({ blocks, seconds }: PastRound): number =>
  seconds > 0 ? (blocks * 60) / seconds : 0;

const endsOf = (rounds: readonly PastRound[]): Html | null => {
  const [first] = rounds;
  const last = rounds.at(-1);
  return first && last && first !== last
    ? ends(`round ${formatWhole(first.round)}`, `round ${formatWhole(last.round)}`)
    : null;
};

const noRounds = (title: string): Html =>
  html`<figure class="panel chart">
    <figcaption><h3>${title}</h3></figcaption>
    <p class="empty">No round has ended yet.</p>
  </figure>`;

export const blocksPerMinuteChart = ({ rounds, network }: ChainStatusResponse): Html => {
  const title = 'Blocks per minute';
  const newest = rounds.at(-1);
  if (!newest) return noRounds(title);
  const full = 60 / network.blocktime;
  return chartFigure({
    id: 'pace',
    title,
    description: `${formatRate(blocksPerMinute(newest))} in round ${formatWhole(newest.round)}; ${formatRate(full)} if no slot is missed.`,
    drawing: [
      columns(
        rounds.map((round) => ({
          label: `Round ${formatWhole(round.round)}: ${formatRate(blocksPerMinute(round))} blocks per minute`,
          value: blocksPerMinute(round),
        })),
        { value: full, label: formatRate(full) },
      ),
      endsOf(rounds),
    ],
    table: {
      heads: ['Round', 'Blocks', 'Seconds', 'Blocks per minute'],
      rows: rounds.map((round) => [
        formatWhole(round.round),
        formatWhole(round.blocks),
        formatWhole(round.seconds),
        formatRate(blocksPerMinute(round)),
      ]),
    },
  });
};

export const missedSlotsChart = ({ rounds }: ChainStatusResponse): Html => {
  const title = 'Missed slots';
  if (rounds.length === 0) return noRounds(title);
  const missed = rounds.reduce((sum, { missedSlots }) => sum + missedSlots, 0);
  const most = Math.max(...rounds.map(({ missedSlots }) => missedSlots));
  return chartFigure({
    id: 'missed',
    title,
    description: `${counted(missed, 'slot')} missed in the last ${counted(rounds.length, 'round')}, at most ${formatWhole(most)} in one round.`,
    drawing: [
      columns(
        rounds.map(({ round, missedSlots }) => ({
          label: `Round ${formatWhole(round)}: ${counted(missedSlots, 'slot')} missed`,
          value: missedSlots,
          className: 'missed',
        })),
        most > 0 ? { value: most, label: formatWhole(most) } : null,
      ),
      endsOf(rounds),
    ],
    table: {
      heads: ['Round', 'First height', 'Last height', 'Missed slots'],
      rows: rounds.map(({ round, firstHeight, lastHeight, missedSlots }) =>
        [round, firstHeight, lastHeight, missedSlots].map(formatWhole),
      ),
    },
  });
};
