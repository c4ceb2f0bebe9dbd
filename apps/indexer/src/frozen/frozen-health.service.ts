import { Inject, Injectable } from '@nestjs/common';
import { inTime, ReadinessCheck, ScrapedMetrics } from '@roundhouse/operations';
import { readChainEnd, readPosition, type ChainEnd } from '@roundhouse/storage';
import { Pool } from 'pg';
import { addBackups, addEnd, addVerification, addWebhooks } from '../operations/live-metrics.service.js';
import { Stopping } from '../stopping.service.js';
import { Prover } from './prover.service.js';

/** Ready means: the index of the ended chain is complete and proven. */
@Injectable()
export class FrozenReadiness extends ReadinessCheck {
  private end: ChainEnd | null = null;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prover: Prover,
    private readonly stopping: Stopping,
  ) {
    super();
  }

  override async findObstacle(): Promise<string | null> {
    if (this.stopping.signal.aborted) return 'The indexer is stopping.';
    const end = await inTime(readChainEnd(this.pool), 'unknown' as const);
    if (end === 'unknown') return 'The database cannot be reached.';
    this.end = end;
    if (end === null || end.id === null)
      return 'The index is not at the end of its chain any more: restart the indexer, with BLOCK_SOURCE.';
    if (end.provenAt !== null) return null;
    if (end.problem !== null) return `The index of the ended chain is not sound: ${end.problem}`;
    return `The blocks of the ended chain are being verified: ${this.prover.provingAt} of ${end.height}.`;
  }

  override get details(): object {
    return this.end?.id == null ? {} : { ended: this.end };
  }
}

/** Without a source, there is no height of it and no lag. */
@Injectable()
export class FrozenMetrics extends ScrapedMetrics {
  constructor(@Inject(Pool) pool: Pool) {
    super();
    this.addPool(pool);
    const seen = this.shared(() => readPosition(pool));
    this.gauge('roundhouse_head_height', 'Height of the newest indexed block.', () => seen()?.head?.height);
    addEnd(this, pool);
    // The last verification was that of the end.
    addVerification(this, pool, { VERIFY_EVERY: 0 });
    addBackups(this, pool);
    addWebhooks(this, pool);
  }
}
