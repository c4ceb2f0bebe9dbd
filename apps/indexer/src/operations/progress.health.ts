import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { readRefusedBlock } from '@roundhouse/storage';
import { Pool } from 'pg';
import { Obstacles } from './obstacles.service.js';

/** After this time the check goes on without the database, whose slowness another indicator reports. */
const PATIENCE_MS = 1_000;

/** Down if anything keeps the index from growing. A source without a new block does not. */
@Injectable()
export class ProgressHealth {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly obstacles: Obstacles,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check(key: string): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(key);
    const refused = await Promise.race([
      readRefusedBlock(this.pool).catch(() => null),
      wait(PATIENCE_MS, null, { ref: false }),
    ]);
    const reasons = [...this.obstacles.current];
    if (refused !== null) {
      const { source, reason, refusals } = refused;
      reasons.push(`${reason} (given by ${source}, refused ${refusals} times in a row)`);
    }
    return reasons.length === 0 ? indicator.up() : indicator.down(reasons.join(' | '));
  }
}
