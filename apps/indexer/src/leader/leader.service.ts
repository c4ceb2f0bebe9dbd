import { setTimeout as wait } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { JobQueues } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { ApplyWorker } from '../workers.js';
import { ApplyRunner } from '../apply/apply-runner.service.js';
import { withAdvice } from '../database/database-trouble.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { Metrics } from '../operations/metrics.service.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { Stopping } from '../stopping.service.js';
import { Verifier } from '../verify/verifier.service.js';
import { Deliveries } from '../webhooks/deliveries.service.js';
import { DeliverWorker } from '../webhooks/deliver.worker.js';
import { waitForWriterLock, type HeldLock } from './writer-lock.js';

const TRY_AGAIN_MS = 1_000;

/** When the process stops, the current batch is dropped unless it is committed within this time. */
const LAST_BATCH_MS = 6_000;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** One of all indexer processes leads: its connection holds the writer's lock, and only its workers for applying and delivering run. */
@Injectable()
export class LeaderService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private contest: Promise<void> = Promise.resolve();
  private lastBatch: Promise<void> | null = null;
  private readonly sayLockless = saySometimes((reason) =>
    this.logger.warn({ reason }, 'the writer’s lock cannot be requested; trying again'),
  );

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly runner: ApplyRunner,
    private readonly applying: ApplyWorker,
    private readonly queues: JobQueues,
    private readonly metrics: Metrics,
    private readonly obstacles: Obstacles,
    private readonly stopping: Stopping,
    private readonly verifier: Verifier,
    private readonly deliveries: Deliveries,
    private readonly delivering: DeliverWorker,
  ) {}

  onApplicationBootstrap(): void {
    this.contest = this.contend();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([
      this.stopping.step('ending the current batch', async () => {
        await this.endLastBatch();
        await this.applying.close();
      }),
      this.stopping.step('ending the posts to webhooks', async () => {
        await this.deliveries.resign();
        await this.delivering.close();
      }),
      this.stopping.step('releasing the writer’s lock', () => this.contest),
    ]);
  }

  private async contend(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const lock = await waitForWriterLock(this.settings.DATABASE_URL, signal);
        if (lock === null) return;
        await this.lead(lock);
      } catch (error) {
        const reason = withAdvice(error as Error);
        this.obstacles.note('leading', reason);
        this.sayLockless(new Error(reason));
      }
      await this.stopping.pause(TRY_AGAIN_MS);
    }
  }

  private async lead(lock: HeldLock): Promise<void> {
    const { signal } = this.stopping;
    this.logger.info('this process writes the index');
    this.metrics.leads = true;
    this.obstacles.clear('leading');
    this.runner.lead(lock.client);
    this.verifier.lead();
    this.deliveries.lead();
    try {
      const ends = [lock.lost, aborted(signal)];
      await Promise.race([this.startWorkers(), ...ends]);
      await Promise.race(ends);
    } finally {
      this.metrics.leads = false;
      this.runner.resign();
      await this.verifier.resign();
      await this.deliveries.resign();
      await (signal.aborted
        ? this.endLastBatch()
        : Promise.all([this.applying.worker.pause(), this.delivering.worker.pause(), this.runner.idle]));
      await lock.release();
    }
    if (!signal.aborted)
      this.logger.warn('the connection with the writer’s lock is lost; requesting the lock again');
  }

  /** Commits the current batch. If that takes too long, the batch is dropped whole when its connection closes. */
  private endLastBatch(): Promise<void> {
    this.lastBatch ??= (async () => {
      this.runner.resign();
      const closed = Promise.all([this.applying.close(), this.runner.idle]).then(() => true);
      const isCommitted = await Promise.race([closed, wait(LAST_BATCH_MS, false, { ref: false })]);
      if (isCommitted) return;
      this.logger.warn('the current batch takes too long: dropped whole');
      this.applying.giveBack();
    })();
    return this.lastBatch;
  }

  private async startWorkers(): Promise<void> {
    for (const { worker } of [this.applying, this.delivering]) {
      if (worker.isPaused()) await worker.resume();
      else
        worker
          .run()
          .catch((error: Error) =>
            this.logger.error({ queue: worker.name, reason: error.message }, 'a worker ended'),
          );
    }
    // Not `staged`: only one nudge per reason passes in each interval, and the first plan must be able to nudge with
    // `staged` once the source's height is known.
    await this.queues.apply('led', this.settings.POLL_INTERVAL_MS);
  }
}
