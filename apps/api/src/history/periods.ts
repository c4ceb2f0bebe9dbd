export type Step = 'day' | 'week' | 'month';

/** When the period begins that a second is in, or the one that comes `later` periods after it. */
const startOf = (step: Step, seconds: number, later = 0): number => {
  const date = new Date(seconds * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  switch (step) {
    case 'day':
      return Date.UTC(year, month, day + later) / 1000;
    case 'week':
      return Date.UTC(year, month, day - sinceMonday + 7 * later) / 1000;
    case 'month':
      return Date.UTC(year, month + later) / 1000;
  }
};

/**
 * When the periods begin that have the seconds from `first` to `last`, and, as the last of the list, when the next one begins.
 * Seconds since 1970, UTC. Null if there are more than `most`.
 */
export const periodsBetween = (step: Step, first: number, last: number, most: number): number[] | null => {
  const starts: number[] = [];
  let start = startOf(step, first);
  for (; start <= last; start = startOf(step, start, 1)) {
    if (starts.length === most) return null;
    starts.push(start);
  }
  return [...starts, start];
};
