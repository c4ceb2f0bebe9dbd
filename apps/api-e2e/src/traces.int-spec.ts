import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TraceCollector } from '@roundhouse/testing';
import { answersOf } from './support/answers-of.js';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { everyRequest } from './support/every-request.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

/** OTLP's numbers for the kinds of spans. */
const SERVER = 2;
const CLIENT = 3;

describe('an api that traces', () => {
  let served: ServedChain;
  let collector: TraceCollector;
  let api: ApiProcess;
  beforeAll(async () => {
    served = await serveChain();
    collector = await TraceCollector.start();
    // The spans are delivered when it stops.
    const environment = { ...collector.environment, OTEL_BSP_SCHEDULE_DELAY: '60000' };
    api = await startApiProcess({ DATABASE_URL: served.databaseUrl, ...environment });
  });
  afterAll(async () => {
    await collector.close();
    await served.stop();
  });

  it('gives every answer of an api that does not trace', async () => {
    const requests = await everyRequest(served.api.url);
    expect(requests.length).toBeGreaterThan(100);
    expect(await answersOf(api.url, requests)).toEqual(await answersOf(served.api.url, requests));
  });

  it('puts a request and its statements into the trace of its client; a ready answer has no statements', async () => {
    const path = '/api/delegates/search?q=gen';
    const ids: (string | null)[] = [];
    for (let turn = 0; turn < 2; turn += 1)
      ids.push((await fetch(api.url + path, { headers: { traceparent } })).headers.get('x-request-id'));
    await fetch(`${api.url}/nowhere`, { headers: { traceparent } });
    api.kill('SIGTERM');
    expect(await api.ended).toEqual({ code: 0, signal: null });

    const [cold, hot, nowhere, ...others] = collector.spans.filter(
      ({ kind, traceId }) => kind === SERVER && traceId === TRACE,
    );
    expect(others).toEqual([]);
    expect(cold).toMatchObject({
      service: 'roundhouse-api',
      name: 'GET /api/delegates/search',
      parentSpanId: 'b7ad6b7169203331',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/delegates/search',
        'http.response.status_code': 200,
        'url.path': '/api/delegates/search',
        'url.query': 'q=gen',
        'roundhouse.request.id': ids[0],
      },
    });
    const statements = collector.childrenOf(cold!);
    expect(statements.map(({ attributes }) => attributes['db.query.summary'])).not.toHaveLength(0);
    for (const { kind, attributes } of statements)
      expect([kind, attributes['db.system.name']]).toEqual([CLIENT, 'postgresql']);
    expect(hot!.attributes['roundhouse.request.id']).toBe(ids[1]);
    expect(collector.childrenOf(hot!)).toEqual([]);
    expect(nowhere).toMatchObject({
      name: 'GET',
      attributes: { 'http.response.status_code': 404, 'url.path': '/nowhere' },
    });
  });
});
