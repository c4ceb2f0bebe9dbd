import type { NodeValue } from './parameters.js';

/** Which of the rows a page has, as `slice(from, to)` of JavaScript takes them: negative numbers count from the end. */
export interface Slice {
  readonly from: number;
  readonly to: number;
}

/** A value of PostgreSQL's type integer. */
const bounded = (value: number): number =>
  Math.trunc(Math.max(-2_147_483_648, Math.min(2_147_483_647, Number.isNaN(value) ? 0 : value)));

const isNumeric = (value: NodeValue): value is number | boolean =>
  typeof value === 'number' || typeof value === 'boolean';

/** What JavaScript's `offset + limit` is: text is appended, and mostly no number then. */
const sumOf = (offset: NodeValue, limit: NodeValue): number =>
  isNumeric(offset) && isNumeric(limit)
    ? Number(offset) + Number(limit)
    : Number(`${String(offset)}${String(limit)}`);

/** The page that a node takes of rows in memory. It does not check `offset` and `limit`; 0 and false count as absent. */
export const sliceOf = (offset: NodeValue = 0, limit: NodeValue = 0): Slice => ({
  from: bounded(Number(offset)),
  to:
    limit === 0 || limit === false ? bounded(Infinity) : bounded(sumOf(offset === false ? 0 : offset, limit)),
});
