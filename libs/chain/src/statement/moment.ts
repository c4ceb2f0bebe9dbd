/** A height, or a period that ends with its last second, both in seconds since 1970. */
export type Moment = { readonly height: number } | { readonly first: number; readonly last: number };

export const DAY_SECONDS = 86_400;

/** Null if the text is neither a height nor a day or second that there is. */
export const parseMoment = (text: string): Moment | null => {
  if (/^[1-9]\d{0,9}$/.test(text)) return { height: Number(text) };
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\dZ)?$/.exec(text) ?? [];
  if (day === undefined) return null;
  const date = new Date(text);
  // Date takes 30 February for 1 March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return null;
  const first = date.getTime() / 1000;
  return { first, last: time === undefined ? first + DAY_SECONDS - 1 : first };
};

/** A height and a time are not compared: no block may lie between two times. */
const isAfter = (from: Moment, to: Moment): boolean => {
  if ('height' in from) return 'height' in to && from.height > to.height;
  return !('height' in to) && from.first > to.last;
};

/**
 * The heights from one moment to another, up to the head: blocks of a time are those not older, or not newer. A range without
 * blocks ends just below its beginning. `epoch` is in seconds since 1970. `findHeight` returns the lowest height whose block is not
 * older than a time in seconds since the epoch, or that above the head. Otherwise, a height above the head, or that the range ends
 * before it begins.
 */
export const heightsBetween = async (
  from: Moment | undefined,
  to: Moment | undefined,
  head: number,
  epoch: number,
  findHeight: (time: number) => Promise<number>,
): Promise<{ readonly from: number; readonly to: number } | { readonly above: number } | 'reversed'> => {
  for (const moment of [from, to])
    if (moment && 'height' in moment && moment.height > head) return { above: moment.height };
  if (from && to && isAfter(from, to)) return 'reversed';
  let [first, last] = [1, head];
  if (from) first = 'height' in from ? from.height : await findHeight(from.first - epoch);
  if (to) last = 'height' in to ? to.height : (await findHeight(to.last + 1 - epoch)) - 1;
  return first > last + 1 ? 'reversed' : { from: first, to: last };
};
