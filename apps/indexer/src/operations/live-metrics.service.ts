import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { JobQueues } from '@roundhouse/jobs';
import { droppedLogLines } from '@roundhouse/logging';
import {
  countStagedBytes,
  readBackupState,
  readUnknownTypes,
  readVerificationState,
  type Backup,
  type BackupState,
  type Position,
  type VerificationState,
} from '@roundhouse/storage';
import { Pool } from 'pg';
import { Counter, Gauge } from 'prom-client';
import { PositionService } from '../follow/position.service.js';
import { ForkService } from '../fork/fork.service.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { Metrics } from './metrics.service.js';
import { SourcePauses } from './source-pauses.js';

/** A value that cannot be read within this time is left out, so that Prometheus gets the others. */
const PATIENCE_MS = 1_000;

type Value = number | null | undefined;

const orNothing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  Promise.race([reading.catch(() => undefined), wait(PATIENCE_MS, undefined, { ref: false })]);

/** What is read at each scrape of Prometheus; `Metrics` counts the rest. */
@Injectable()
export class LiveMetrics {
  private seen: Position | undefined;
  private waiting = 0;
  private verified: VerificationState | undefined;
  private backups: BackupState | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly position: PositionService,
    private readonly queues: JobQueues,
    @Inject(Pool) private readonly pool: Pool,
    pauses: SourcePauses,
    forks: ForkService,
    @Inject(SETTINGS) settings: IndexerSettings,
  ) {
    this.gauge(
      'roundhouse_head_height',
      'Height of the newest indexed block.',
      () => this.seen?.head?.height,
    );
    this.gauge(
      'roundhouse_source_height',
      'Height of the newest block of the source.',
      () => this.seen?.sourceHeight,
    );
    this.gauge(
      'roundhouse_unknown_rules_height',
      'Height from which the source announces rules that the index does not have. Absent if it announces none.',
      () => metrics.unknownRulesHeight,
    );
    this.gauge('roundhouse_lag_blocks', 'Blocks that the source has and the index does not.', () =>
      this.seen ? position.lag : undefined,
    );
    this.gauge('roundhouse_leads', 'Whether this process writes the index (1) or not (0).', () =>
      Number(metrics.leads),
    );
    this.gauge(
      'roundhouse_source_pause_seconds',
      'For how long the source is not asked, because it grants no more requests.',
      () => pauses.current?.secondsLeft ?? 0,
    );
    this.gauge(
      'roundhouse_fork_pause_seconds',
      'For how long forks are not followed, because the source switches between two branches.',
      () => forks.pauseMs / 1_000,
    );
    this.gauge('roundhouse_staged_bytes', 'Bytes that are staged and not applied yet.', () =>
      orNothing(countStagedBytes(pool)),
    );
    this.gauge('roundhouse_staged_max_bytes', 'STAGED_MAX_BYTES.', () => settings.STAGED_MAX_BYTES);
    this.gauge('roundhouse_pool_connections', 'Open connections of the pool.', () => pool.totalCount);
    this.gauge('roundhouse_pool_idle', 'Open connections that are not in use.', () => pool.idleCount);
    this.gauge('roundhouse_pool_waiting', 'Queries that wait for a connection.', () => this.waiting);
    this.gauge('roundhouse_pool_max', 'The most connections that the pool opens.', () => pool.options.max);
    this.addVerification(settings);
    this.addBackups();
    this.addUnknownTypes();
    this.addQueues();
    this.addDroppedLogLines();
  }

  async read(): Promise<string> {
    // Read first, because the queries of this scrape may wait too.
    this.waiting = this.pool.waitingCount;
    [this.seen, this.verified, this.backups] = await Promise.all([
      orNothing(this.position.refresh()),
      orNothing(readVerificationState(this.pool)),
      orNothing(readBackupState(this.pool)),
    ]);
    return this.metrics.registry.metrics();
  }

  /** All processes see what the last leader, or an operator, has found. */
  private addVerification(settings: IndexerSettings): void {
    this.gauge(
      'roundhouse_verification_sound',
      'Whether the last verification found the index to be what its blocks determine (1) or not (0).',
      () => this.verified?.last && Number(this.verified.last.problem === null),
    );
    this.gauge(
      'roundhouse_verified_height',
      'Height up to which the last verification compared the index with its blocks.',
      () => this.verified?.last?.height,
    );
    this.gauge(
      'roundhouse_verification_age_seconds',
      'Time since the last verification ended, or since this process started if there was none.',
      () => this.verified && (this.verified.last?.ageSeconds ?? process.uptime()),
    );
    this.gauge(
      'roundhouse_checkpoint_height',
      'Height of the proven checkpoint with which a verification begins.',
      () => this.verified?.checkpoint,
    );
    this.gauge('roundhouse_verify_every_seconds', 'VERIFY_EVERY.', () => settings.VERIFY_EVERY);
  }

  /** Absent where nothing backs up, as in many a cluster that has its own way. */
  private addBackups(): void {
    this.gauge(
      'roundhouse_wal_archive_age_seconds',
      'Time since PostgreSQL archived WAL last.',
      () => this.backups?.walAgeSeconds,
    );
    const of = (name: string, help: string, value: (backup: Backup) => number): void => {
      const newest = (): readonly Backup[] => this.backups?.newest ?? [];
      new Gauge({
        name,
        help,
        labelNames: ['kind'],
        registers: [this.metrics.registry],
        collect() {
          this.reset();
          for (const backup of newest()) this.set({ kind: backup.kind }, value(backup));
        },
      });
    };
    of('roundhouse_backup_age_seconds', 'Age of the newest backup, by kind.', (each) => each.ageSeconds);
    of('roundhouse_backup_every_seconds', 'BACKUP_EVERY or DUMP_EVERY.', (each) => each.everySeconds);
  }

  /** From the stored blocks, so that a restart forgets nothing. */
  private addUnknownTypes(): void {
    const { pool } = this;
    new Gauge({
      name: 'roundhouse_unknown_type_first_height',
      help: 'Height of the first transaction of each unknown type in the index.',
      labelNames: ['type'],
      registers: [this.metrics.registry],
      async collect() {
        this.reset();
        for (const { typeGroup, type, firstHeight } of (await orNothing(readUnknownTypes(pool))) ?? [])
          this.set({ type: `${typeGroup}/${type}` }, firstHeight);
      },
    });
  }

  /** All processes see the same queues. */
  private addQueues(): void {
    const { queues } = this;
    new Gauge({
      name: 'roundhouse_queue_jobs',
      help: 'Jobs in the queues, by queue and state.',
      labelNames: ['queue', 'state'],
      registers: [this.metrics.registry],
      async collect() {
        this.reset();
        for (const { queue, state, jobs } of (await orNothing(queues.countJobs())) ?? []) {
          this.set({ queue, state }, jobs);
        }
      },
    });
  }

  private addDroppedLogLines(): void {
    new Counter({
      name: 'roundhouse_log_lines_dropped_total',
      help: 'Log lines that could not be written.',
      registers: [this.metrics.registry],
      collect() {
        this.reset();
        this.inc(droppedLogLines());
      },
    });
  }

  private gauge(name: string, help: string, read: () => Value | Promise<Value>): void {
    new Gauge({
      name,
      help,
      registers: [this.metrics.registry],
      async collect() {
        const value = await read();
        // A gauge without labels reports 0 unless it is removed.
        if (value === null || value === undefined) this.remove();
        else this.set(value);
      },
    });
  }
}
