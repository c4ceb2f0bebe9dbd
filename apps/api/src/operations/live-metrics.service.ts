import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { AnswerRenewal } from '../answers/answer-renewal.service.js';
import { AnswerCache } from '../answers/answer-cache.service.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { RateLimit } from '../limits/rate-limit.service.js';
import { CONNECTIONS } from '../database/database.module.js';
import { Places } from '../limits/places.service.js';
import { Metrics } from './metrics.service.js';

/** The metrics that other parts count and Prometheus reads. */
@Injectable()
export class LiveMetrics {
  constructor(
    metrics: Metrics,
    tracker: ChainTracker,
    cache: AnswerCache,
    renewal: AnswerRenewal,
    @Inject(CONNECTIONS) pool: Pool,
    @Inject(SETTINGS) settings: ApiSettings,
    places: Places,
    rateLimit: RateLimit,
  ) {
    const head = () => tracker.latest?.headOrNull;
    metrics.gauge('roundhouse_head_height', 'Height of the newest indexed block.', () => head()?.height);
    metrics.gauge('roundhouse_source_height', 'Height of the node.', () => tracker.latest?.sourceHeight);
    metrics.gauge(
      'roundhouse_chain_ended',
      'Whether the index has the last block of its chain for good (1), so that it needs no source.',
      () => tracker.latest && Number(tracker.latest.end !== null),
    );
    metrics.gauge(
      'roundhouse_chain_proven',
      'Whether all blocks of the ended chain were verified (1).',
      () => tracker.latest && Number(tracker.latest.isFrozen),
    );
    metrics.gauge(
      'roundhouse_head_indexed_timestamp_seconds',
      'When the head was indexed, in seconds since 1970 by the clock of the database.',
      () => {
        const indexedAtUs = head()?.indexedAtUs;
        return indexedAtUs === undefined ? undefined : Number(indexedAtUs / 1_000n) / 1_000;
      },
    );
    metrics.gauge('roundhouse_head_confirmed', 'Whether the head was read within the last second.', () =>
      Number(tracker.isConfirmed),
    );
    metrics.gauge(
      'roundhouse_replica_lag_seconds',
      'How old the newest change is that the replica shows; 0 if it has all. Absent without a replica.',
      () => tracker.replicaLagSeconds,
    );
    metrics.counter('roundhouse_answers_ready_total', 'Answers that were ready.', () => cache.counts.found);
    metrics.counter('roundhouse_answers_made_total', 'Answers that had to be made.', () => cache.counts.made);
    metrics.counter(
      'roundhouse_answers_renewed_total',
      'Answers that were made for a new head before a request asked for them.',
      () => renewal.count,
    );
    metrics.gauge('roundhouse_cache_bytes', 'Bytes of ready answers.', () => cache.sizeBytes);
    metrics.gauge('roundhouse_cache_max_bytes', 'CACHE_MAX_BYTES.', () => settings.CACHE_MAX_BYTES);
    metrics.addPool(pool);
    metrics.gauge(
      'roundhouse_requests_waiting',
      'Requests that wait for an answer to be made: for the database, a page, payouts or a list.',
      () => places.waitingCount,
    );
    metrics.gauge(
      'roundhouse_requests_waiting_max',
      'MAX_WAITING_REQUESTS: how many of them may wait for the same thing.',
      () => settings.MAX_WAITING_REQUESTS,
    );
    metrics.counter(
      'roundhouse_requests_refused_total',
      'Requests that were refused because too many waited.',
      () => places.refusedCount,
    );
    metrics.counter(
      'roundhouse_requests_limited_total',
      'Requests that were refused because their client made too many.',
      () => rateLimit.refusedCount,
    );
  }
}
