import type { Case } from './fuzz.js';

/** Every request that was ever answered wrongly; `npm run fuzz -- --seed N --from I --requests 1` shows it. */
export const KNOWN_CASES: readonly Case[] = [
  // An expectation that Node refuses by itself, without a body.
  { seed: 1, index: 205 },
  { seed: 1, index: 285 },
];
