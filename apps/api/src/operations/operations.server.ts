import { Inject, Injectable } from '@nestjs/common';
import { fastify } from 'fastify';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { Metrics } from './metrics.service.js';
import { Readiness } from './readiness.service.js';

/** Serves health and metrics on `OPS_PORT`, never on the public port. `app.ts` stops it last. */
@Injectable()
export class OperationsServer {
  private readonly server = fastify({ forceCloseConnections: true });

  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    metrics: Metrics,
    readiness: Readiness,
  ) {
    this.server.get('/health/live', () => ({ status: 'live' }));
    this.server.get('/health/ready', async (_request, reply) => {
      const obstacle = await readiness.findObstacle();
      return reply.code(obstacle === null ? 200 : 503).send({
        ...(obstacle === null ? { status: 'ready' } : { status: 'not ready', reason: obstacle }),
        ...readiness.details,
      });
    });
    this.server.get('/metrics', async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    );
  }

  /** Returns the address. */
  listen(): Promise<string> {
    const { HOST, OPS_PORT } = this.settings;
    return this.server.listen({ host: HOST, port: OPS_PORT });
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}
