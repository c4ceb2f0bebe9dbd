import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import { readChainEnd } from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { withAdvice } from '../database/database-trouble.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { waitForWriterLock } from '../leader/writer-lock.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { Stopping } from '../stopping.service.js';
import { proveEnd } from './prove-end.js';

/** A rebuild asks for another proof. */
const LOOK_MS = 2_000;

/** Proves the index of an ended chain once; after that it writes nothing. */
@Injectable()
export class Prover implements OnApplicationBootstrap {
  /** The height that is verified, and that is not proven yet; null if nothing is. */
  provingAt: number | null = null;
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
  ) {}

  onApplicationBootstrap(): void {
    void this.watch();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if (await this.isDue()) await this.prove(signal);
      } catch (error) {
        if (!signal.aborted) this.sayTrouble(new Error(withAdvice(error as Error)));
      }
      await this.stopping.pause(LOOK_MS);
    }
  }

  private async isDue(): Promise<boolean> {
    const end = await readChainEnd(this.pool);
    if (end === null || end.id === null || end.provenAt !== null) return false;
    return !(this.hasFailed && end.problem !== null);
  }

  private async prove(signal: AbortSignal): Promise<void> {
    const lock = await waitForWriterLock(this.settings.DATABASE_URL, signal);
    if (lock === null) return;
    try {
      const end = await readChainEnd(lock.client);
      // Another process may have proven it while this one waited.
      if (end === null || end.id === null || end.provenAt !== null) return;
      this.provingAt = 0;
      const onProgress = (height: number): void => void (this.provingAt = height);
      this.hasFailed =
        (await proveEnd(lock.client, this.settings, end, this.logger, { signal, onProgress })) !== null;
    } finally {
      this.provingAt = null;
      await lock.release();
    }
  }
}
