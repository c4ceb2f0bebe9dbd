import { Controller, Get, Header } from '@nestjs/common';
import { LiveMetrics } from './live-metrics.service.js';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: LiveMetrics) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  read(): Promise<string> {
    return this.metrics.read();
  }
}
