export interface CiSeed {
  readonly seed: number;
  readonly blocks: number;
  /** What the seed is here for. */
  readonly because: string;
}

/** The seeds that CI runs, in under five minutes together. Every seed that has ever failed is here, with what it found. */
export const CI_SEEDS: readonly CiSeed[] = [
  { seed: 1, blocks: 300, because: 'one of the first' },
  { seed: 2, blocks: 300, because: 'one of the first' },
];
