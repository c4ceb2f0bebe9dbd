import type { RoundDigest, SumsAtBlock } from '@roundhouse/chain';
import { copyLine } from './copy-text.js';

export const ROUND_DIGEST_COLUMNS = ['round', 'height', 'accounts', 'delegates', 'locks', 'digest'] as const;

export function* roundDigestLines(digests: Iterable<RoundDigest>): Generator<string, void> {
  for (const { round, height, accounts, delegates, locks, digest } of digests) {
    yield copyLine([round, height, accounts, delegates, locks, digest]);
  }
}

export const STATE_SUMS_COLUMNS = ['height', 'block_id', 'accounts', 'delegates', 'locks'] as const;

export function* stateSumsLines(sums: Iterable<SumsAtBlock>): Generator<string, void> {
  for (const { height, id, accounts, delegates, locks } of sums) {
    yield copyLine([height, id, accounts, delegates, locks]);
  }
}
