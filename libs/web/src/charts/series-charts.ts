import type { BalancePoint, ChainStatusResponse, StatusNetwork } from '@roundhouse/client';
import { exactAmount, shortAmount } from '../format/amount.js';
import { formatWhole } from '../format/numbers.js';
import type { Html } from '../html.js';
import { amountMarks } from './amount-marks.js';
import { chartFigure } from './chart.js';
import { levelsOfAmounts, line, lineEnds } from './line.js';

/** The shortest period of a chart of the whole chain: a line has no room for thousands of days. */
export const stepOf = ({ timestamp }: ChainStatusResponse): 'day' | 'week' | 'month' => {
  const days = timestamp / 86_400;
  if (days <= 100) return 'day';
  return days <= 1400 ? 'week' : 'month';
};

export const dayOf = ({ time }: { readonly time: string }): string => time.slice(0, 10);

/** The balance of an account at the end of each period; nothing before there are two. */
export const balanceChart = (
  points: readonly BalancePoint[],
  { symbol, token }: StatusNetwork,
): Html | null => {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || first === last) return null;
  const balances = points.map(({ balance }) => balance);
  return chartFigure({
    id: 'balances',
    title: 'Balance over time',
    description: `From ${shortAmount(first.balance)} ${symbol} in the period of ${dayOf(first)} to ${shortAmount(last.balance)} ${symbol}.`,
    drawing: [line(levelsOfAmounts(balances), amountMarks(balances)), lineEnds(dayOf(first), dayOf(last))],
    table: {
      heads: ['Period from', 'Last height', `Balance in ${token}`],
      rows: points.map((point) => [dayOf(point), formatWhole(point.height), exactAmount(point.balance)]),
    },
  });
};
