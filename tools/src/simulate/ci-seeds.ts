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
    seed: 142_808,
    blocks: 400,
    because:
      'covers every disturbance, together with the next two; queues in Redis, VERIFY=full, HISTORY=off, large batches, one source',
  },
  {
    seed: 32_310,
    blocks: 300,
    because: 'queues in PostgreSQL, VERIFY=hash, HISTORY=full; two sources, the first misbehaves',
  },
  { seed: 21_210, blocks: 200, because: 'large batches; two sources, the second misbehaves' },
];
