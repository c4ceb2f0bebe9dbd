import type { Day } from '@roundhouse/client';
import { exactAmount, shortAmount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { chartFigure } from './chart.js';
import { columns, ends } from './columns.js';

/** How a kind of figure is written. */
interface Kind {
  readonly unit: string;
  short(value: number | bigint): string;
  exact(value: number | bigint): string;
}

/** A figure of each day. */
interface DayFigure extends Kind {
  readonly id: string;
  readonly title: string;
  readonly head: string;
  of(day: Day): number | bigint;
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

const COUNT: Kind = { unit: '', short: formatWhole, exact: formatWhole };

const amountIn = (symbol: string): Kind => ({
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
  const amount = amountIn(symbol);
  const figure = (id: string, kind: Kind, name: string, of: DayFigure['of']): DayFigure => ({
    ...kind,
    id: `daily-${id}`,
    of,
    title: `${name} by day`,
    head: kind === amount ? `${name} in ${token}` : name,
  });
  const figures = [
    figure('transactions', COUNT, 'Transactions', ({ transactions }) => transactions),
    figure('volume', amount, 'Volume', ({ volume }) => volume),
    figure('fees', amount, 'Fees', ({ fees }) => fees),
    figure('addresses', COUNT, 'Active addresses', ({ activeAddresses }) => activeAddresses),
  ];
  return html`${figures.map((each) => chartOf(each, days, newest))}`;
};
