import { Controller, Get, Header } from '@nestjs/common';
import { Figures } from './figures.service.js';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly figures: Figures) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  read(): Promise<string> {
    return this.figures.registry.metrics();
  }
}
