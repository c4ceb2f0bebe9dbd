import type { HeightRange } from './jobs.js';

/** The same range is the same job: adding it twice makes one. BullMQ takes neither `:` nor a bare integer. */
export const fetchJobId = ({ from, to }: HeightRange): string => `fetch-${from}-${to}`;

export const applyJobId = ({ from, to }: HeightRange): string => `apply-${from}-${to}`;
