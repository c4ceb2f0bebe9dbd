import { Inject, Injectable } from '@nestjs/common';
import { ScrapedMetrics } from '@roundhouse/operations';
import { Pool } from 'pg';
import { PositionService } from '../follow/position.service.js';
import { addBackups, addEnd, addVerification, addWebhooks } from '../operations/live-metrics.service.js';

/** Without a source, there is no height of it and no lag. */
@Injectable()
export class FrozenMetrics extends ScrapedMetrics {
  constructor(@Inject(Pool) pool: Pool, position: PositionService) {
    super();
    this.addPool(pool);
    const seen = this.shared(() => position.refresh());
    this.gauge('roundhouse_head_height', 'Height of the newest indexed block.', () => seen()?.head?.height);
    addEnd(this, pool);
    // The last verification was that of the end.
    addVerification(this, pool, { VERIFY_EVERY: 0 });
    addBackups(this, pool);
    addWebhooks(this, pool);
  }
}
