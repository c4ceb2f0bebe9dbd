export interface CiSeed {
  readonly seed: number;
  readonly blocks: number;
  /** What the seed is here for. */
  readonly because: string;
}

/** The seeds that CI runs, in under five minutes together. Every seed that has ever failed is here, with what it found. */
export const CI_SEEDS: readonly CiSeed[] = [
  { seed: 88, blocks: 300, because: 'with the next two, every disturbance comes; queues in PostgreSQL' },
  { seed: 192, blocks: 300, because: 'queues in Redis, VERIFY=full' },
  { seed: 375, blocks: 300, because: 'nothing has to settle until the end' },
  {
    seed: 142,
    blocks: 980,
    because:
      'with 122 and 148 it found, of 2,000 blocks, a worker that could not end a job: PostgreSQL went down as it was made',
  },
];
