import { Inject, Injectable } from '@nestjs/common';
import { fastify } from 'fastify';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { listenOn } from '../http/listening.js';
import { Metrics } from './metrics.service.js';
import { Readiness } from './readiness.service.js';

/** Health and figures on a port of their own, never on the public one. It is the last to end, and `app.ts` ends it. */
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
      return reply
        .code(obstacle === null ? 200 : 503)
        .send(obstacle === null ? { status: 'ready' } : { status: 'not ready', reason: obstacle });
    });
    this.server.get('/metrics', async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    );
  }

  /** Gives the address. Throws `OperatorError`. */
  listen(): Promise<string> {
    const { HOST, OPS_PORT } = this.settings;
    return listenOn('OPS_PORT', OPS_PORT, HOST, () => this.server.listen({ host: HOST, port: OPS_PORT }));
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}
