import { Inject, Injectable } from '@nestjs/common';
import { readMissingIndexes } from '@roundhouse/entities';
import { LOGGER } from '@roundhouse/logging';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { withAdvice } from '../database/database-trouble.js';
import { FAR_BEHIND_BLOCKS, PositionService } from '../follow/current-state.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { buildListIndexes } from './build-list-indexes.js';

/** After a failure. Blocks are applied meanwhile. */
const AGAIN_MS = 20_000;

const PLACE = 'building the indexes of lists';

/**
 * The indexes that only lists of the api read. An index that began empty gets them when it has nearly reached its source:
 * until then, it is written faster without them. Nothing drops them later.
 */
@Injectable()
export class ListIndexes {
  /** The one that this process builds; null if none. */
  building: string | null = null;
  /** Whether one may be missing that should be there, so that `build` and `areDue` have to ask. */
  mayLack = true;
  private restsUntil = 0;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly position: PositionService,
    private readonly obstacles: Obstacles,
  ) {}

  /** Those that should be there by now and are not. */
  async overdue(): Promise<readonly string[]> {
    if (!this.mayLack || (this.position.lag ?? Infinity) >= FAR_BEHIND_BLOCKS) return [];
    const missing = await readMissingIndexes(this.pool);
    this.mayLack = missing.length > 0;
    return missing;
  }

  /** Whether `build` has something to do. */
  async areDue(): Promise<boolean> {
    return performance.now() >= this.restsUntil && (await this.overdue()).length > 0;
  }

  /** Builds what is due until `signal` ends it. The leader calls it while it writes nothing; readers go on. Never throws. */
  async build(signal: AbortSignal): Promise<void> {
    try {
      if (!(await this.areDue())) return;
      const began = performance.now();
      await buildListIndexes(this.settings.DATABASE_URL, signal, () => this.next(signal));
      const seconds = Math.round(performance.now() - began) / 1_000;
      if (!this.mayLack) this.logger.info({ seconds }, 'all indexes that lists need are there');
      this.obstacles.clear(PLACE);
    } catch (error) {
      if (signal.aborted) return;
      this.restsUntil = performance.now() + AGAIN_MS;
      const reason = withAdvice(error as Error);
      this.obstacles.note(PLACE, reason);
      this.logger.error(
        { index: this.building, reason },
        'an index that lists need could not be built: trying again in 20 s, blocks are applied meanwhile',
      );
    } finally {
      this.building = null;
    }
  }

  /** Whether another one is to be built; says which. */
  private async next(signal: AbortSignal): Promise<boolean> {
    const missing = await this.overdue();
    if (missing.length === 0) return false;
    signal.throwIfAborted();
    this.building = missing[0]!;
    this.logger.info({ index: this.building, missing: missing.length }, 'building an index that lists need');
    return true;
  }
}
