import { Controller, Get } from '@nestjs/common';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { Stopping } from '../stopping.service.js';
import { DatabaseHealth } from './database.health.js';
import { ProgressHealth } from './progress.health.js';
import { SourcePauses } from './source-pauses.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: DatabaseHealth,
    private readonly progress: ProgressHealth,
    private readonly stopping: Stopping,
    private readonly pauses: SourcePauses,
  ) {}

  /** The process runs. */
  @Get('live')
  @HealthCheck()
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /**
   * The process can work: it is not stopping, its database answers and has the schema, and nothing keeps the index from
   * growing. `source` only informs: a source that grants no requests for a while does not make the process unready.
   */
  @Get('ready')
  @HealthCheck()
  ready(): Promise<HealthCheckResult> {
    return this.health.check([
      () => this.checkProcess('process'),
      () => this.database.check('database'),
      () => this.progress.check('progress'),
      () => this.indicators.check('source').up({ ...this.pauses.current }),
    ]);
  }

  private checkProcess(key: string): HealthIndicatorResult {
    const indicator = this.indicators.check(key);
    return this.stopping.signal.aborted ? indicator.down('it is stopping') : indicator.up();
  }
}
