import { readRecording } from '../recordings.js';
import type { RecordedAnswer } from './recorded-node-chain.js';

/**
 * What a node does instead of answering: `rate-limited` (its limit for one address, sent with `retry-after`),
 * `busy` (too many queries in flight; no useful `retry-after`), `failing` (status 500), `silent` (accepts and never
 * answers), `cut-off` (the connection breaks within the answer).
 */
export type Misbehaviour = 'rate-limited' | 'busy' | 'failing' | 'silent' | 'cut-off';

/** A recorded refusal: of the rate limit, or of a node whose `retry-after` is 0. */
export const recordedRefusal = (kind: 'rate-limited' | 'busy'): RecordedAnswer =>
  readRecording<RecordedAnswer>('core-3.9', 'core-api-v3-429.ndjson.gz').find(
    ({ status, responseHeaders }) =>
      status === 429 && (responseHeaders['retry-after'] === '0') === (kind === 'busy'),
  )!;
