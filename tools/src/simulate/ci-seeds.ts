export interface CiSeed {
  readonly seed: number;
  readonly blocks: number;
  /** The reason for this seed. */
  readonly because: string;
}

/**
 * The seeds that CI runs, in about five minutes together. Between them they contain all disturbances. A seed that
 * fails because of a real fault is added, with what it found. A change to the deck of disturbances changes every run,
 * so such seeds are then removed.
 */
export const CI_SEEDS: readonly CiSeed[] = [
  {
    seed: 12462,
    blocks: 500,
    because:
      'covers every disturbance, together with the next two; queues in Redis, VERIFY=full, HISTORY=full, one source',
  },
  {
    seed: 4847,
    blocks: 300,
    because: 'queues in PostgreSQL, VERIFY=hash, HISTORY=full; two sources, the second misbehaves',
  },
  { seed: 1947, blocks: 300, because: 'HISTORY=off, large batches; two sources, the first misbehaves' },
];
