import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Pool } from 'pg';

@Injectable()
export class DatabaseHealth {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly indicators: HealthIndicatorService,
  ) {}

  async check(key: string): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(key);
    try {
      await this.pool.query('SELECT 1');
      return indicator.up();
    } catch {
      return indicator.down('the database cannot be reached');
    }
  }
}
