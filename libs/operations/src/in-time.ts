import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 1_000;

/** What `reading` gives, or `otherwise` if it fails or takes longer than a second. */
export const inTime = <T, Otherwise>(reading: Promise<T>, otherwise: Otherwise): Promise<T | Otherwise> =>
  Promise.race([reading.catch(() => otherwise), wait(PATIENCE_MS, otherwise, { ref: false })]);
