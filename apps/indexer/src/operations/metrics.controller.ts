import { Controller, Get, Header } from '@nestjs/common';
import { LiveFigures } from './live-figures.service.js';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly figures: LiveFigures) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  read(): Promise<string> {
    return this.figures.read();
  }
}
