import { Controller, Get, Header, ServiceUnavailableException } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ReadinessCheck } from './readiness-check.js';
import { ScrapedMetrics } from './scraped-metrics.js';

@Controller('health')
class HealthController {
  constructor(private readonly readiness: ReadinessCheck) {}

  /** The process runs. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /** The process can do its work. */
  @Get('ready')
  async ready(): Promise<object> {
    const reason = await this.readiness.findObstacle();
    const { details } = this.readiness;
    if (reason !== null) throw new ServiceUnavailableException({ status: 'not ready', reason, ...details });
    return { status: 'ready', ...details };
  }
}

@Controller('metrics')
class MetricsController {
  constructor(private readonly metrics: ScrapedMetrics) {}

  @Get()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  read(): Promise<string> {
    return this.metrics.read();
  }
}

/** For a module that provides `ReadinessCheck` and `ScrapedMetrics`. */
export const operationsControllers = [HealthController, MetricsController];
