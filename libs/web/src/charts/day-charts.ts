import type { Day } from '@roundhouse/client';
import { exactAmount, shortAmount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { chartFigure } from './chart.js';
import { columns, ends } from './columns.js';

/** A figure of each day. */
interface DayFigure {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly head: string;
  of(day: Day): number | bigint;
  short(value: number | bigint): string;
  exact(value: number | bigint): string;
}

/** Parts of the largest, fine enough for a column. */
const PARTS = 10_000n;
const partOf = (value: number | bigint, largest: bigint): number =>
  largest === 0n ? 0 : Number((BigInt(value) * PARTS) / largest);

const largestOf = (values: readonly (number | bigint)[]): bigint =>
  values.reduce<bigint>((most, value) => (BigInt(value) > most ? BigInt(value) : most), 0n);

const chartOf = (figure: DayFigure, days: readonly Day[], newest: Day): Html => {
  const { id, title, unit, head } = figure;
  const values = days.map((day) => figure.of(day));
  const largest = largestOf(values);
  const shortOf = (value: number | bigint): string => figure.short(value) + unit;
  return chartFigure({
    id,
    title,
    description: `${shortOf(figure.of(newest))} on ${newest.date}${newest.isRunning ? ' so far' : ''}; at most ${shortOf(largest)} on one day.`,
    drawing: [
      columns(
        days.map((day) => ({
          label: `${day.date}: ${shortOf(figure.of(day))}`,
          value: partOf(figure.of(day), largest),
        })),
        largest > 0n ? { value: Number(PARTS), label: figure.short(largest) } : null,
      ),
      days.length > 1 && ends(days[0]!.date, newest.date),
    ],
    table: {
      heads: ['Day', head],
      rows: days.map((day) => [day.date, figure.exact(figure.of(day))]).reverse(),
    },
  });
};

const counts = { unit: '', short: formatWhole, exact: formatWhole };

const amounts = (symbol: string): Pick<DayFigure, 'unit' | 'short' | 'exact'> => ({
  unit: ` ${symbol}`,
  short: (value) => shortAmount(BigInt(value)),
  exact: (value) => exactAmount(BigInt(value)),
});

/**
 * What happened on each day, in UTC; nothing without days.
 * @param newestFirst as the API lists them
 */
export const dayCharts = (newestFirst: readonly Day[], symbol: string, token: string): Html | null => {
  const [newest] = newestFirst;
  if (!newest) return null;
  const days = [...newestFirst].reverse();
  const figures: readonly DayFigure[] = [
    {
      ...counts,
      ...{ id: 'daily-transactions', title: 'Transactions by day', head: 'Transactions' },
      of: ({ transactions }) => transactions,
    },
    {
      ...amounts(symbol),
      ...{ id: 'daily-volume', title: 'Volume by day', head: `Volume in ${token}` },
      of: ({ volume }) => volume,
    },
    {
      ...amounts(symbol),
      ...{ id: 'daily-fees', title: 'Fees by day', head: `Fees in ${token}` },
      of: ({ fees }) => fees,
    },
    {
      ...counts,
      ...{ id: 'daily-addresses', title: 'Active addresses by day', head: 'Active addresses' },
      of: ({ activeAddresses }) => activeAddresses,
    },
  ];
  return html`${figures.map((figure) => chartOf(figure, days, newest))}`;
};
