export interface CiSeed {
  readonly seed: number;
  readonly blocks: number;
  /** What the seed is here for. */
  readonly because: string;
}

/**
 * The seeds that CI runs, in about five minutes together: all disturbances come among them. A seed that fails because of
 * a real fault joins them, with what it found; when the deck of disturbances changes, it is another run, and leaves.
 */
export const CI_SEEDS: readonly CiSeed[] = [
  {
    seed: 659,
    blocks: 500,
    because: 'with the next two, every disturbance comes; queues in Redis, VERIFY=full, one source',
  },
  {
    seed: 5600,
    blocks: 300,
    because: 'queues in PostgreSQL, VERIFY=hash; two sources, the second misbehaves',
  },
  { seed: 14, blocks: 300, because: 'large batches; two sources, the first misbehaves' },
];
