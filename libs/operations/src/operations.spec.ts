import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { operationsControllers, ReadinessCheck, ScrapedMetrics } from './index.js';

class Readiness extends ReadinessCheck {
  obstacle: string | null = null;

  override async findObstacle(): Promise<string | null> {
    return this.obstacle;
  }

  override readonly details = { lag: 5 };
}

class Metrics extends ScrapedMetrics {}

@Module({ controllers: operationsControllers })
class OperationsModule {}

const never = (): Promise<never> => new Promise(() => undefined);

describe('health and metrics', () => {
  let app: NestFastifyApplication;
  let readiness: Readiness;
  let metrics: Metrics;

  beforeEach(async () => {
    readiness = new Readiness();
    metrics = new Metrics();
    const providers = [
      { provide: ReadinessCheck, useValue: readiness },
      { provide: ScrapedMetrics, useValue: metrics },
    ];
    const adapter = new FastifyAdapter();
    app = await NestFactory.create<NestFastifyApplication>({ module: OperationsModule, providers }, adapter, {
      logger: false,
    });
    await app.init();
  });

  afterEach(() => app.close());

  const ask = async (path: string): Promise<[number, unknown]> => {
    const answer = await app.inject(path);
    return [answer.statusCode, answer.json()];
  };

  const scrape = async (): Promise<string[]> => {
    const { payload, headers } = await app.inject('/metrics');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    return payload.split('\n').filter((line) => line.startsWith('our_'));
  };

  it('say whether the process is ready, and why not', async () => {
    expect(await ask('/health/ready')).toEqual([200, { status: 'ready', lag: 5 }]);
    readiness.obstacle = 'The disk is full.';
    expect(await ask('/health/ready')).toEqual([
      503,
      { status: 'not ready', reason: 'The disk is full.', lag: 5 },
    ]);
    expect(await ask('/health/live')).toEqual([200, { status: 'live' }]);
  });

  it('leave out what cannot be read, and what has no value', async () => {
    metrics.gauge('our_value', 'Help.', () => 1);
    metrics.gauge('our_absence', 'Help.', () => null);
    metrics.gauge('our_failure', 'Help.', () => Promise.reject(new Error('It fails.')));
    metrics.gauge('our_wait', 'Help.', never);
    metrics.gauges('our_waits', 'Help.', ['kind'], never);
    metrics.gauge('our_shared_wait', 'Help.', metrics.shared<number>(never));
    metrics.counter('our_total', 'Help.', () => 7);
    expect(await scrape()).toEqual(['our_value 1', 'our_total 7']);
  });

  it('read what several metrics show once per scrape, and forget series that are gone', async () => {
    let readings = 0;
    const shared = metrics.shared(async () => (readings += 1));
    metrics.gauge('our_first', 'Help.', shared);
    metrics.gauge('our_second', 'Help.', shared);
    metrics.gauges('our_kinds', 'Help.', ['kind'], async () => [[{ kind: `of ${readings}` }, 3]]);
    expect(await scrape()).toEqual(['our_first 1', 'our_second 1', 'our_kinds{kind="of 1"} 3']);
    expect(await scrape()).toEqual(['our_first 2', 'our_second 2', 'our_kinds{kind="of 2"} 3']);
  });

  it('show the queries that waited for a connection before the scrape, not those of the scrape', async () => {
    const pool = { totalCount: 2, idleCount: 1, waitingCount: 0, options: { max: 4 } };
    metrics.addPool(pool);
    metrics.shared(async () => (pool.waitingCount = 9));
    await app.inject('/metrics');
    pool.waitingCount = 3;
    const { payload } = await app.inject('/metrics');
    expect(payload).toMatch(/^roundhouse_pool_waiting 3$/m);
  });
});
