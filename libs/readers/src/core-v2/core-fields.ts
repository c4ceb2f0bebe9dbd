import type { Form } from '@roundhouse/entities/tables';
import { asShown, READ } from '../core-v1/list-filters.js';

/** A value that a list is asked for: one, or a range, whose ends count. */
export type Wanted = string | number | boolean | object;

/** A wanted value that is no object. */
export const plainText = (wanted: Wanted): string => (typeof wanted === 'object' ? '' : String(wanted));

interface Range<T = number> {
  readonly from?: T | undefined;
  readonly to?: T | undefined;
}

/** The parameters of a statement that is being made. */
export class Parameters {
  readonly values: unknown[] = [];

  /** @param first the place of the first one */
  constructor(private readonly first: number) {}

  /** SQL of a further parameter. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.first + this.values.length - 1}::${type}`;
  }
}

/** A field by which a list is filtered and sorted. */
export interface CoreField {
  /** SQL of the condition that it has this value. */
  readonly is: (wanted: Wanted, parameters: Parameters) => string;
  /** SQL that a list is sorted by; absent if a node fails to sort by it. */
  readonly sortKey?: string;
  /** SQL that joins the tables which the sort key needs besides. */
  readonly sortJoin?: string;
}

/** SQL of the ends that a range has. */
export const inRange = <T>(
  { from, to }: Range<T>,
  least: (from: T) => string,
  most: (to: T) => string,
): string =>
  [...(from === undefined ? [] : [least(from)]), ...(to === undefined ? [] : [most(to)])].join(' AND ') ||
  'true';

/** A column of integers. All that is asked for are safe ones. */
export const numberField = (column: string, sortKey = column): CoreField => ({
  is: (wanted, parameters) => {
    const place = (value: unknown): string => parameters.add(String(value), 'bigint');
    if (typeof wanted !== 'object') return `${column} = ${place(wanted)}`;
    return inRange(
      wanted,
      (from) => `${column} >= ${place(from)}`,
      (to) => `${column} <= ${place(to)}`,
    );
  },
  sortKey,
});

/** A column of bytes. Nodes compare text, so what they would write in another way is never found. */
export const bytesField = (
  form: Form,
  column: string,
  { lookUp = (value: string) => value, sortKey = asShown(form, column), sortJoin = '' } = {},
): CoreField => ({
  is: (wanted, parameters) => {
    const bytes = READ[form](plainText(wanted));
    return bytes === null ? 'false' : `${column} = ${lookUp(parameters.add(bytes, 'bytea'))}`;
  },
  sortKey,
  sortJoin,
});

/** SQL of the lowest height whose block is not older than this; above the head if all are older. Times grow with heights. */
export const heightFrom = (timestamp: string): string => `(
  WITH RECURSIVE search (low, high) AS (
    SELECT 1, (SELECT height + 1 FROM head)
    UNION ALL
    SELECT CASE WHEN middle."timestamp" < ${timestamp} THEN middle.height + 1 ELSE low END,
      CASE WHEN middle."timestamp" < ${timestamp} THEN high ELSE middle.height END
    FROM search JOIN LATERAL (SELECT height, "timestamp" FROM blocks WHERE height = (low + high) / 2) middle ON true
    WHERE low < high
  ) SELECT low FROM search WHERE low = high)`;

/** The time of the block at a height: a range of times is one of heights. */
export const timeField = (height: string): CoreField => ({
  is: (wanted, parameters) => {
    const { from, to }: Range =
      typeof wanted === 'object' ? wanted : { from: Number(wanted), to: Number(wanted) };
    const at = (time: number): string => heightFrom(parameters.add(String(time), 'bigint'));
    return inRange(
      { from, to },
      (time) => `${height} >= ${at(time)}`,
      (time) => `${height} < ${at(time + 1)}`,
    );
  },
  sortKey: height,
});
