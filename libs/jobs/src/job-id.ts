import type { HeightRange } from './jobs.js';

/**
 * Redis may lose a job and keep only its record, which then blocks new jobs with the same id. So ids change after this
 * time.
 */
const GHOST_MS = 10_000;

/**
 * The same range has the same id for a while, so adding it twice creates one job. `now` is in ms. BullMQ accepts
 * neither `:` nor a bare integer.
 */
export const fetchJobId = ({ from, to }: HeightRange, now: number): string =>
  `fetch-${from}-${to}-${Math.floor(now / GHOST_MS)}`;

export const applyJobId = ({ from, to }: HeightRange): string => `apply-${from}-${to}`;
