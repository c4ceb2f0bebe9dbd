import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, TraceCollector } from '@roundhouse/testing';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

describe('an api that traces', () => {
  let served: ServedChain;
  let collector: TraceCollector;
  let api: ApiProcess;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  const start = (environment: Record<string, string>): Promise<ApiProcess> =>
    startApiProcess({ DATABASE_URL: served.databaseUrl, ...environment });

  const stop = async (): Promise<void> => {
    api.kill('SIGTERM');
    expect(await api.ended).toEqual({ code: 0, signal: null });
  };

  describe('to a collector', () => {
    beforeEach(async () => {
      collector = await TraceCollector.start();
    });
    afterEach(() => collector.close());

    it('puts a request and its statements into the trace of its client; a ready answer has no statements', async () => {
      api = await start(collector.environment);
      const path = '/api/delegates/search?q=a';
      const first = await fetch(api.url + path, { headers: { traceparent } });
      const cold = await collector.find(({ kind }) => kind === 2);
      expect(cold).toMatchObject({
        service: 'roundhouse-api',
        name: 'GET /api/delegates/search',
        traceId: TRACE,
        parentSpanId: 'b7ad6b7169203331',
        attributes: {
          'http.request.method': 'GET',
          'http.route': '/api/delegates/search',
          'http.response.status_code': 200,
          'url.path': '/api/delegates/search',
          'url.query': 'q=a',
          'roundhouse.request.id': first.headers.get('x-request-id'),
        },
      });
      const statements = collector.childrenOf(cold);
      expect(statements.map(({ attributes }) => attributes['db.query.summary'])).not.toHaveLength(0);
      for (const { kind, attributes } of statements) {
        expect([kind, attributes['db.system.name']]).toEqual([3, 'postgresql']);
      }
      await fetch(api.url + path, { headers: { traceparent } });
      const hot = await collector.find(({ kind, spanId }) => kind === 2 && spanId !== cold.spanId);
      expect(collector.childrenOf(hot)).toEqual([]);
      await stop();
    });

    it('delivers the remaining spans when it stops', async () => {
      api = await start({ ...collector.environment, OTEL_BSP_SCHEDULE_DELAY: '60000' });
      await fetch(`${api.url}/nowhere`);
      await stop();
      expect(collector.spans).toMatchObject([
        { name: 'GET', attributes: { 'http.response.status_code': 404, 'url.path': '/nowhere' } },
      ]);
    });
  });

  it('to an unreachable collector answers as usual, logs it once, and stops in time', async () => {
    api = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_BSP_SCHEDULE_DELAY: '50' });
    const warnings = (): number => api.lines.filter(({ msg }) => /traces could not/.test(String(msg))).length;
    const statuses = new Set<number>();
    await eventually('it says so', async () => {
      statuses.add((await getText(api.url, '/api/blocks/getHeight')).status);
      return warnings() > 0;
    });
    expect([...statuses]).toEqual([200]);
    await stop();
    expect(warnings()).toBe(1);
  });
});
