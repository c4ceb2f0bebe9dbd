import type { Day } from '@roundhouse/client';
import { exactAmount, shortAmount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import { html, type Html } from '../html.js';
import { chartFigure } from './chart.js';
import { columns, ends } from './columns.js';

/** A figure of each day: a count, or an amount in arktoshi. */
interface DayFigure {
  readonly id: string;
  readonly name: string;
  readonly isAmount?: boolean;
  readonly of: (day: Day) => bigint;
}

const FIGURES: readonly DayFigure[] = [
  { id: 'transactions', name: 'Transactions', of: ({ transactions }) => BigInt(transactions) },
  { id: 'volume', name: 'Volume', isAmount: true, of: ({ volume }) => volume },
  { id: 'fees', name: 'Fees', isAmount: true, of: ({ fees }) => fees },
  { id: 'addresses', name: 'Active addresses', of: ({ activeAddresses }) => BigInt(activeAddresses) },
];

/** Parts of the largest, fine enough for a column. */
const PARTS = 10_000n;

const chartOf = (
  { id, name, isAmount = false, of }: DayFigure,
  days: readonly Day[],
  newest: Day,
  symbol: string,
  token: string,
): Html => {
  const largest = days.map(of).reduce((most, value) => (value > most ? value : most), 0n);
  const [short, exact] = isAmount ? [shortAmount, exactAmount] : [formatWhole, formatWhole];
  const said = (value: bigint): string => (isAmount ? `${short(value)} ${symbol}` : short(value));
  return chartFigure({
    id: `daily-${id}`,
    title: `${name} by day`,
    description: `${said(of(newest))} on ${newest.date}${newest.isRunning ? ' so far' : ''}; at most ${said(largest)} on one day.`,
    drawing: [
      columns(
        days.map((day) => ({
          label: `${day.date}: ${said(of(day))}`,
          value: largest === 0n ? 0 : Number((of(day) * PARTS) / largest),
        })),
        largest > 0n ? { value: Number(PARTS), label: short(largest) } : null,
      ),
      days.length > 1 && ends(days[0]!.date, newest.date),
    ],
    table: {
      heads: ['Day', isAmount ? `${name} in ${token}` : name],
      rows: days.map((day) => [day.date, exact(of(day))]).reverse(),
    },
  });
};

/**
 * What happened on each day, in UTC; nothing without days.
 * @param newestFirst as the API lists them
 */
export const dayCharts = (newestFirst: readonly Day[], symbol: string, token: string): Html | null => {
  const [newest] = newestFirst;
  if (!newest) return null;
  const days = [...newestFirst].reverse();
  return html`${FIGURES.map((figure) => chartOf(figure, days, newest, symbol, token))}`;
};
