import { setTimeout as wait } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { JobQueues } from '@roundhouse/jobs';
import type { Logger } from 'pino';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { LOGGER } from '../logging/logger.js';
import { Figures } from '../operations/figures.service.js';
import { ApplyProcessor } from './apply.processor.js';
import { ApplyRunner } from './apply-runner.service.js';
import { waitForWriterLock, type HeldLock } from './writer-lock.js';

const TRY_AGAIN_MS = 1_000;

/** Of all indexer processes one leads: the one whose connection holds the writer's lock runs the apply worker. */
@Injectable()
export class LeaderService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private contest: Promise<void> = Promise.resolve();

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly runner: ApplyRunner,
    private readonly processor: ApplyProcessor,
    private readonly queues: JobQueues,
    private readonly figures: Figures,
  ) {}

  onApplicationBootstrap(): void {
    this.contest = this.contend();
  }

  /** The batch in hand is committed, or dropped whole with the connection. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.contest;
  }

  private async contend(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      try {
        const lock = await waitForWriterLock(this.settings.DATABASE_URL, signal);
        if (lock === null) return;
        await this.lead(lock);
      } catch (error) {
        this.logger.warn(
          { reason: (error as Error).message },
          'the writer’s lock cannot be asked for; trying again',
        );
      }
      await wait(TRY_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async lead(lock: HeldLock): Promise<void> {
    const { signal } = this.stop;
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.logger.info('this process writes the index');
    this.figures.leads = true;
    this.runner.lead(lock.client);
    try {
      await this.startWorker();
      await Promise.race([lock.lost, stopped]);
    } finally {
      this.figures.leads = false;
      this.runner.resign();
      await this.processor.worker.pause();
      await lock.release();
    }
    if (!signal.aborted)
      this.logger.warn('the connection with the writer’s lock is lost; asking for it again');
  }

  private async startWorker(): Promise<void> {
    const { worker } = this.processor;
    if (worker.isPaused()) await worker.resume();
    else
      worker
        .run()
        .catch((error: Error) => this.logger.error({ reason: error.message }, 'the apply worker ended'));
    await this.queues.apply('staged', this.settings.POLL_INTERVAL_MS);
  }
}
