import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { Stopping } from '../stopping.service.js';

const LOOK_MS = 2_000;

/** `migrate` makes it for the role that reads the views. */
const FIND = `SELECT to_regproc('roundhouse.end_long_statements') IS NOT NULL AS found`;
const END = 'SELECT roundhouse.end_long_statements() AS ended';

/**
 * Each indexer ends what readers of the views do for too long, because their sessions may lift their own limits, and
 * those that have an advisory lock: with the writer's, no indexer could lead.
 */
@Injectable()
export class ReaderWatchdog implements OnApplicationBootstrap {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stopping: Stopping,
  ) {}

  onApplicationBootstrap(): void {
    void this.watch();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    let problem: string | null = null;
    while (!signal.aborted) {
      await this.stopping.pause(LOOK_MS);
      if (signal.aborted) continue;
      try {
        const { rows } = await this.pool.query<{ found: boolean }>(FIND);
        if (rows[0]!.found) await this.end();
        problem = null;
      } catch (error) {
        const { message } = error as Error;
        if (problem !== message)
          this.logger.warn({ reason: message }, 'long statements of readers cannot be ended');
        problem = message;
      }
    }
  }

  private async end(): Promise<void> {
    const { rows } = await this.pool.query<{ ended: number }>(END);
    const { ended } = rows[0]!;
    if (ended > 0)
      this.logger.warn(
        { sessions: ended },
        'ended sessions of readers: they took too long, or had an advisory lock',
      );
  }
}
