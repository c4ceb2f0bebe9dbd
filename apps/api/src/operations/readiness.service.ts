import { Inject, Injectable } from '@nestjs/common';
import { schemaState } from '@roundhouse/entities';
import { ReadinessCheck } from '@roundhouse/operations';
import type { ReaderPool } from '@roundhouse/readers';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { ChainTracker } from '../chain/chain-tracker.service.js';
import { READER_POOL } from '../database/database.module.js';
import { Places } from '../limits/places.service.js';
import { Shutdown } from './shutdown.service.js';

/** Decides whether a load balancer should send requests here. */
@Injectable()
export class Readiness extends ReadinessCheck {
  private hasKnownSchema = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    @Inject(READER_POOL) private readonly pool: ReaderPool,
    private readonly tracker: ChainTracker,
    private readonly shutdown: Shutdown,
    private readonly places: Places,
  ) {
    super();
  }

  override async findObstacle(): Promise<string | null> {
    if (this.shutdown.isAnnounced) return 'The api is stopping.';
    // Must come first, because the other checks would have to wait for the database too.
    if (this.places.of('answers').isFull)
      return 'Requests wait too long for the database, or too many do: clients that had no other were refused.';
    return (await this.findSchemaObstacle()) ?? this.findChainObstacle();
  }

  /** Empty without a replica. */
  override get details(): { replicaLagSeconds?: number } {
    const { replicaLagSeconds } = this.tracker;
    return replicaLagSeconds === null ? {} : { replicaLagSeconds };
  }

  private async findSchemaObstacle(): Promise<string | null> {
    const state = await schemaState(this.pool).catch(() => null);
    switch (state?.kind) {
      case undefined:
        return 'The database cannot be read.';
      case 'known':
        this.hasKnownSchema = true;
        return null;
      case 'older':
        return `The schema of the database is older than this api: it lacks ${state.missing.join(', ')}. Run "indexer migrate" of this version.`;
      case 'obsolete':
      case 'foreign':
        return state.problem;
      case 'newer':
        // docs/decisions/0006: a migration never breaks the programs that are running.
        if (this.hasKnownSchema) return null;
        return `The schema of the database is newer than this api, which does not know ${state.unknown.join(', ')}. Start the api of the version that migrated it.`;
    }
  }

  private findChainObstacle(): string | null {
    const { latest, isConfirmed } = this.tracker;
    if (!latest || !isConfirmed) return 'The head cannot be read.';
    const { headOrNull, sourceHeight } = latest;
    if (!headOrNull) return 'No block is indexed yet.';
    const { READY_MAX_LAG } = this.settings;
    const lag = (sourceHeight ?? headOrNull.height) - headOrNull.height;
    if (lag > READY_MAX_LAG) return `The index is ${lag} blocks behind the node, more than READY_MAX_LAG.`;
    const { sourceSilentSeconds } = this.tracker;
    if (sourceSilentSeconds === 0) return null;
    const silentSlots = Math.floor(sourceSilentSeconds / latest.constants.blocktime);
    if (lag + silentSlots <= READY_MAX_LAG) return null;
    const { replicaLagSeconds } = this.tracker;
    // A replica that stands still shows no news of the node either.
    const check =
      replicaLagSeconds === null
        ? 'Check that the indexer runs, and read its log.'
        : `The newest change on this replica is ${Math.floor(replicaLagSeconds)} s old: check that it follows its primary, and that the indexer runs.`;
    return `Nothing was heard from the node for ${Math.floor(sourceSilentSeconds)} s: the index may be more than READY_MAX_LAG behind it. ${check}`;
  }
}
