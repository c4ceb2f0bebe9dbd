import { Inject, Injectable } from '@nestjs/common';
import { readMissingIndexes } from '@roundhouse/entities';
import { JobQueues } from '@roundhouse/jobs';
import {
  countStagedBytes,
  countWaiting,
  readBackupState,
  readUnknownTypes,
  readChainEnd,
  readVerificationState,
  type Backup,
} from '@roundhouse/storage';
import type { ScrapedMetrics } from '@roundhouse/operations';
import { Pool } from 'pg';
import { PositionService } from '../follow/current-state.js';
import { ForkService } from '../fork/fork.service.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { Metrics } from './metrics.service.js';
import { SourcePauses } from './source-pauses.js';

/** What is read at each scrape of Prometheus; `Metrics` counts the rest. */
@Injectable()
export class LiveMetrics {
  constructor(
    metrics: Metrics,
    position: PositionService,
    queues: JobQueues,
    @Inject(Pool) pool: Pool,
    pauses: SourcePauses,
    forks: ForkService,
    @Inject(SETTINGS) settings: IndexerSettings,
  ) {
    metrics.addPool(pool);
    addPosition(metrics, position);
    addEnd(metrics, pool);
    metrics.gauge(
      'roundhouse_unknown_rules_height',
      'Height from which the source announces rules that the index does not have. Absent if it announces none.',
      () => metrics.unknownRulesHeight,
    );
    metrics.gauge('roundhouse_leads', 'Whether this process writes the index (1) or not (0).', () =>
      Number(metrics.leads),
    );
    metrics.gauge(
      'roundhouse_source_pause_seconds',
      'For how long the source is not asked, because it grants no more requests.',
      () => pauses.current?.secondsLeft ?? 0,
    );
    metrics.gauge(
      'roundhouse_fork_pause_seconds',
      'For how long forks are not followed, because the source switches between two branches.',
      () => forks.pauseMs / 1_000,
    );
    metrics.gauge('roundhouse_staged_bytes', 'Bytes that are staged and not applied yet.', () =>
      countStagedBytes(pool),
    );
    metrics.gauge(
      'roundhouse_missing_indexes',
      'Indexes of lists that are not built yet, as in a first sync.',
      async () => (await readMissingIndexes(pool)).length,
    );
    metrics.gauge('roundhouse_staged_max_bytes', 'STAGED_MAX_BYTES.', () => settings.STAGED_MAX_BYTES);
    addVerification(metrics, pool, settings);
    addBackups(metrics, pool);
    addWebhooks(metrics, pool);
    // From the stored blocks, so that a restart forgets nothing.
    metrics.gauges(
      'roundhouse_unknown_type_first_height',
      'Height of the first transaction of each unknown type in the index.',
      ['type'],
      async () =>
        (await readUnknownTypes(pool)).map(({ typeGroup, type, firstHeight }) => [
          { type: `${typeGroup}/${type}` },
          firstHeight,
        ]),
    );
    // All processes see the same queues.
    metrics.gauges(
      'roundhouse_queue_jobs',
      'Jobs in the queues, by queue and state.',
      ['queue', 'state'],
      async () => (await queues.countJobs()).map(({ queue, state, jobs }) => [{ queue, state }, jobs]),
    );
  }
}

const addPosition = (metrics: Metrics, position: PositionService): void => {
  const seen = metrics.shared(() => position.refresh());
  metrics.gauge('roundhouse_head_height', 'Height of the newest indexed block.', () => seen()?.head?.height);
  metrics.gauge(
    'roundhouse_source_height',
    'Height of the newest block of the source.',
    () => seen()?.sourceHeight,
  );
  metrics.gauge(
    'roundhouse_lag_blocks',
    'Blocks that the source has and the index does not.',
    () => seen() && position.lag,
  );
};

/** All programs read it from the tables. */
export const addEnd = (metrics: ScrapedMetrics, pool: Pool): void => {
  const end = metrics.shared(() => readChainEnd(pool));
  metrics.gauge(
    'roundhouse_chain_ended',
    'Whether the index has the last block of its chain for good (1), so that it needs no source.',
    () => Number(end()?.id != null),
  );
  metrics.gauge('roundhouse_chain_proven', 'Whether all blocks of the ended chain were verified (1).', () =>
    Number(end()?.provenAt != null),
  );
  metrics.gauge(
    'roundhouse_end_problem',
    'Whether something keeps the end of the chain from being settled or proven (1): see "indexer status".',
    () => Number(end()?.problem != null),
  );
};

/** All processes see what the last leader, or an operator, has found. */
export const addVerification = (
  metrics: ScrapedMetrics,
  pool: Pool,
  settings: Pick<IndexerSettings, 'VERIFY_EVERY'>,
): void => {
  const verified = metrics.shared(() => readVerificationState(pool));
  metrics.gauge(
    'roundhouse_verification_sound',
    'Whether the last verification found the index to be what its blocks determine (1) or not (0).',
    () => {
      const last = verified()?.last;
      return last && Number(last.problem === null);
    },
  );
  metrics.gauge(
    'roundhouse_verified_height',
    'Height up to which the last verification compared the index with its blocks.',
    () => verified()?.last?.height,
  );
  metrics.gauge(
    'roundhouse_verification_age_seconds',
    'Time since the last verification ended, or since this process started if there was none.',
    () => {
      const state = verified();
      return state && (state.last?.ageSeconds ?? process.uptime());
    },
  );
  metrics.gauge(
    'roundhouse_checkpoint_height',
    'Height of the proven checkpoint with which a verification begins.',
    () => verified()?.checkpoint,
  );
  metrics.gauge('roundhouse_verify_every_seconds', 'VERIFY_EVERY.', () => settings.VERIFY_EVERY);
};

/** All processes see the same rows. */
export const addWebhooks = (metrics: ScrapedMetrics, pool: Pool): void => {
  const waiting = metrics.shared(() => countWaiting(pool));
  metrics.gauge('roundhouse_webhooks', 'Registered webhooks.', () => waiting()?.webhooks);
  metrics.gauge(
    'roundhouse_webhooks_failing',
    'Webhooks whose last post was not accepted.',
    () => waiting()?.failing,
  );
  metrics.gauge('roundhouse_webhook_events', 'Events that wait for webhooks.', () => waiting()?.events);
  metrics.gauge(
    'roundhouse_webhook_events_dropped',
    'Events that waited for registered webhooks and were dropped, because more waited than CORE_WEBHOOKS_QUEUE.',
    () => waiting()?.dropped,
  );
};

/** Absent where nothing backs up, as in many a cluster that has its own way. */
export const addBackups = (metrics: ScrapedMetrics, pool: Pool): void => {
  const backups = metrics.shared(() => readBackupState(pool));
  metrics.gauge(
    'roundhouse_wal_archive_age_seconds',
    'Time since PostgreSQL archived WAL last; 0 while none waits.',
    () => backups()?.walAgeSeconds,
  );
  const ofNewest = (name: string, help: string, value: (backup: Backup) => number): void =>
    metrics.gauges(name, help, ['kind'], async () =>
      (backups()?.newest ?? []).map((backup) => [{ kind: backup.kind }, value(backup)]),
    );
  ofNewest('roundhouse_backup_age_seconds', 'Age of the newest backup, by kind.', (each) => each.ageSeconds);
  ofNewest('roundhouse_backup_every_seconds', 'BACKUP_EVERY or DUMP_EVERY.', (each) => each.everySeconds);
};
