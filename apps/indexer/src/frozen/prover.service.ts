import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import { areEventsLeft, readChainEnd, type ChainEnd } from '@roundhouse/storage';
import { Pool, type Client } from 'pg';
import type { Logger } from 'pino';
import { withAdvice } from '../database/database-trouble.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { waitForWriterLock } from '../leader/writer-lock.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { Stopping } from '../stopping.service.js';
import { Deliveries } from '../webhooks/deliveries.service.js';
import { proveEnd } from './prove-end.js';

/** A rebuild asks for another proof. */
const LOOK_MS = 2_000;

/** Proves the index of an ended chain once, and posts what still waits for webhooks; after that it writes nothing. */
@Injectable()
export class Prover implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The height that is verified, while the index is not proven. */
  provingAt = 0;
  /** The index was found to be wrong: only a rebuild or a restart verifies it again. */
  private hasFailed = false;
  private readonly sayTrouble = saySometimes((reason) =>
    this.logger.warn({ reason }, 'the end of the chain could not be proven; trying again'),
  );

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stopping: Stopping,
    private readonly deliveries: Deliveries,
  ) {}

  onApplicationBootstrap(): void {
    void this.watch();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.deliveries.resign();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if ((await this.unproven(this.pool)) !== null || (await areEventsLeft(this.pool)))
          await this.lead(signal);
      } catch (error) {
        if (!signal.aborted) this.sayTrouble(new Error(withAdvice(error as Error)));
      }
      await this.stopping.pause(LOOK_MS);
    }
  }

  /** Null if the index is not at its end, is proven, or was found to be wrong by this process and was not rebuilt. */
  private async unproven(db: Pool | Client): Promise<ChainEnd | null> {
    const end = await readChainEnd(db);
    const isOpen = end !== null && end.id !== null && end.provenAt === null;
    return isOpen && !(this.hasFailed && end.problem !== null) ? end : null;
  }

  private async lead(signal: AbortSignal): Promise<void> {
    const lock = await waitForWriterLock(this.settings.DATABASE_URL, signal);
    if (lock === null) return;
    const { client } = lock;
    const lost = lock.lost.then(() => true);
    this.deliveries.lead();
    try {
      // Another process may have proven it while this one waited.
      const end = await this.unproven(client);
      this.provingAt = 0;
      const onProgress = (height: number): void => void (this.provingAt = height);
      const options = { signal, onProgress };
      if (end !== null)
        this.hasFailed = (await proveEnd(client, this.settings, end, this.logger, options)) !== null;
      while (!signal.aborted && (await areEventsLeft(this.pool)))
        if (await Promise.race([lost, this.stopping.pause(LOOK_MS)])) break;
    } finally {
      await this.deliveries.resign();
      await lock.release();
    }
  }
}
