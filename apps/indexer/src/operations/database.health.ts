import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { schemaState } from '@roundhouse/entities';
import { Pool } from 'pg';

/** A database that takes longer counts as unreachable. */
const PATIENCE_MS = 1_000;

const OUT_OF_REACH = 'the database cannot be reached';

@Injectable()
export class DatabaseHealth {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check(key: string): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(key);
    const obstacle = await Promise.race([
      this.findObstacle(),
      wait(PATIENCE_MS, OUT_OF_REACH, { ref: false }),
    ]);
    return obstacle === null ? indicator.up() : indicator.down(obstacle);
  }

  /** A schema that became newer while this process runs is no obstacle: a migration does not break running programs. */
  private async findObstacle(): Promise<string | null> {
    try {
      const state = await schemaState(this.pool);
      if ('problem' in state) return state.problem;
      if (state.kind !== 'older') return null;
      return `the schema lacks ${state.missing.join(', ')}: run "indexer migrate" of this version`;
    } catch {
      return OUT_OF_REACH;
    }
  }
}
