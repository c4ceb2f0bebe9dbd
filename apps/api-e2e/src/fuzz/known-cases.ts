import type { Case } from './fuzz.js';

/** Every request that was ever answered wrongly; `npm run fuzz -- --seed N --from I --requests 1` shows it. */
export const KNOWN_CASES: readonly Case[] = [
  // An expectation that Node refuses by itself, without a body.
  { seed: 1, index: 205 },
  { seed: 1, index: 285 },
  // The body of an error after a HEAD that the parser could not read.
  { seed: 2, index: 10_717 },
  // Headers of the page twice.
  { seed: 2, index: 26_216 },
];
