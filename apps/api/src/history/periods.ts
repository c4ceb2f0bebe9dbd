import { DAY_SECONDS } from '@roundhouse/chain';

export type Step = 'day' | 'week' | 'month';

/** A Monday: 1970-01-05. */
const FIRST_MONDAY = 4 * DAY_SECONDS;

const monthOf = (seconds: number, later = 0): number => {
  const date = new Date(seconds * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1000;
};

const floor = (seconds: number, length: number, from = 0): number =>
  seconds - ((((seconds - from) % length) + length) % length);

/** When the period begins that a second is in, and when the next one begins. */
const STEPS: Readonly<
  Record<Step, { readonly start: (of: number) => number; readonly next: (start: number) => number }>
> = {
  day: { start: (of) => floor(of, DAY_SECONDS), next: (start) => start + DAY_SECONDS },
  week: { start: (of) => floor(of, 7 * DAY_SECONDS, FIRST_MONDAY), next: (start) => start + 7 * DAY_SECONDS },
  month: { start: (of) => monthOf(of), next: (start) => monthOf(start, 1) },
};

/**
 * When the periods begin that have the seconds from `first` to `last`, and, as the last of the list, when the next one begins.
 * Seconds since 1970, UTC. Null if there are more than `most`.
 */
export const periodsBetween = (step: Step, first: number, last: number, most: number): number[] | null => {
  const { start, next } = STEPS[step];
  const starts: number[] = [];
  let at = start(first);
  for (; at <= last; at = next(at)) {
    if (starts.length === most) return null;
    starts.push(at);
  }
  return [...starts, at];
};
