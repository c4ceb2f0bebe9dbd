import type { HeightRange } from './jobs.js';

/** So long a job whose record is all that is left of it (Redis dropped the rest) can keep its range from being added. */
const GHOST_MS = 10_000;

/**
 * The same range is the same job: adding it twice within a moment makes one. `now` is in ms. BullMQ takes neither `:`
 * nor a bare integer.
 */
export const fetchJobId = ({ from, to }: HeightRange, now: number): string =>
  `fetch-${from}-${to}-${Math.floor(now / GHOST_MS)}`;

export const applyJobId = ({ from, to }: HeightRange): string => `apply-${from}-${to}`;
