import { Inject, Injectable } from '@nestjs/common';
import { migrations } from '@roundhouse/entities';
import { readSchemaVersion, type ReaderPool } from '@roundhouse/storage';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { READER_POOL } from '../database/reader-pool.js';

/** Says whether requests should come here. */
@Injectable()
export class Readiness {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    @Inject(READER_POOL) private readonly pool: ReaderPool,
    private readonly tracker: ChainTracker,
  ) {}

  /** The reason against it in one sentence, null where there is none. */
  async findObstacle(): Promise<string | null> {
    return (await this.findSchemaObstacle()) ?? this.findChainObstacle();
  }

  private async findSchemaObstacle(): Promise<string | null> {
    const known = migrations.at(-1)!.name;
    try {
      const version = await readSchemaVersion(this.pool);
      if (version === known) return null;
      return `The schema of the database is ${version ?? 'empty'}, this api knows ${known}: migrate the database or start the matching api.`;
    } catch {
      return 'The database cannot be read, or was never migrated.';
    }
  }

  private findChainObstacle(): string | null {
    const { latest, isConfirmed } = this.tracker;
    if (!latest || !isConfirmed) return 'The head cannot be read.';
    const { headOrNull, sourceHeight } = latest;
    if (!headOrNull) return 'No block is indexed yet.';
    const lag = (sourceHeight ?? headOrNull.height) - headOrNull.height;
    const { READY_MAX_LAG } = this.settings;
    return lag > READY_MAX_LAG
      ? `The index is ${lag} blocks behind the node, more than READY_MAX_LAG.`
      : null;
  }
}
