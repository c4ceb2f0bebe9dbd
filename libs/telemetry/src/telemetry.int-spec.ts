import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings } from '@roundhouse/config';
import { createEmptyDatabase, TraceCollector, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Logger } from 'pino';
import {
  startTelemetry,
  telemetrySettings,
  traced,
  tracedAfterwards,
  traceServer,
  type Telemetry,
} from './index.js';

const said: { text: string; reason?: string }[] = [];
const logger = {
  info: () => undefined,
  warn: (fields: { reason: string }, text: string) => said.push({ text, ...fields }),
} as unknown as Logger;

const start = (environment: Record<string, string>): Promise<Telemetry> => {
  Object.assign(process.env, environment);
  return startTelemetry('test', readSettings(telemetrySettings, environment), logger);
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

describe('with a collector', () => {
  let collector: TraceCollector;
  let telemetry: Telemetry;
  let pool: pg.Pool;

  beforeEach(async () => {
    collector = await TraceCollector.start();
    telemetry = await start({ ...collector.environment, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret' });
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
  });

  afterEach(async () => {
    await pool.end();
    await telemetry.stop();
    await collector.close();
  });

  it('delivers spans with their attributes, the name of the service and the configured headers', async () => {
    const result = await traced({ name: 'outer', attributes: { height: 7 } }, async (span) => {
      span.set({ blocks: 3 });
      return traced({ name: 'inner', kind: 'client' }, async () => 'done');
    });
    expect(result).toBe('done');
    const outer = await collector.find(({ name }) => name === 'outer');
    expect(outer).toMatchObject({
      service: 'test',
      kind: 1,
      attributes: { height: 7, blocks: 3 },
      isError: false,
    });
    expect(collector.childrenOf(outer)).toMatchObject([{ name: 'inner', kind: 3, traceId: outer.traceId }]);
    expect(collector.headers['x-key']).toBe('secret');
  });

  it('records that work failed, and throws the error again', async () => {
    const failure = Object.assign(new Error('of no use'), { code: 'NO_USE' });
    await expect(traced({ name: 'failing' }, () => Promise.reject(failure))).rejects.toBe(failure);
    const span = await collector.find(({ name }) => name === 'failing');
    expect(span).toMatchObject({ isError: true, attributes: { 'error.type': 'NO_USE' } });
  });

  it('adds spans for work that was measured before', async () => {
    await traced({ name: 'job' }, async () => {
      const endedAt = performance.now();
      const parts = [{ name: 'apply', startedAt: endedAt - 30, endedAt }];
      tracedAfterwards(() => ({ name: 'batch', startedAt: endedAt - 50, endedAt, parts }));
    });
    const job = await collector.find(({ name }) => name === 'job');
    const [batch] = collector.childrenOf(job);
    expect(batch!.durationMs).toBeCloseTo(50, 0);
    expect(collector.childrenOf(batch!)[0]!.durationMs).toBeCloseTo(30, 0);
  });

  it('makes a child span for each kind of statement, with its name and without its values', async () => {
    await pool.query('CREATE TABLE notes (text text)');
    await traced({ name: 'statements' }, async () => {
      await pool.query({
        name: 'secrets',
        text: 'SELECT text FROM notes WHERE text = $1',
        values: ['hidden'],
      });
      await new Promise<void>((resolve) => pool.query("SELECT 'hidden'", () => resolve()));
      const client = await pool.connect();
      await pipeline(Readable.from(['hidden\n']), client.query(copyFrom('COPY notes (text) FROM STDIN')));
      await expect(client.query("SELECT 'hidden'::int")).rejects.toThrow('hidden');
      client.release();
    });
    const parent = await collector.find(({ name }) => name === 'statements');
    const children = collector.childrenOf(parent);
    expect(children.map(({ name, isError }) => ({ name, isError }))).toEqual([
      { name: 'secrets', isError: false },
      { name: 'SELECT', isError: false },
      { name: 'COPY notes', isError: false },
      { name: 'SELECT', isError: true },
    ]);
    expect(children[0]).toMatchObject({
      kind: 3,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.summary': 'SELECT notes',
        'server.address': '127.0.0.1',
      },
    });
    expect(children[3]!.attributes['db.response.status_code']).toBe('22P02');
    expect(JSON.stringify(collector.spans)).not.toContain('hidden');
  });

  it('keeps each statement in its own span if one waits for the connection of another', async () => {
    await Promise.all(
      ['first', 'second', 'third'].map((name) =>
        traced({ name }, async () => {
          await pool.query({ name: `of ${name}`, text: 'SELECT 1' });
        }),
      ),
    );
    for (const name of ['first', 'second', 'third']) {
      const parent = await collector.find((span) => span.name === name);
      expect(collector.childrenOf(parent).map((child) => child.name)).toEqual([`of ${name}`]);
    }
  });

  it('makes no span for a statement outside of a span', async () => {
    await pool.query('SELECT 1');
    await traced({ name: 'the end' }, async () => undefined);
    await collector.find(({ name }) => name === 'the end');
    expect(collector.spans).toHaveLength(1);
  });

  describe('a server', () => {
    let server: Server;

    beforeEach(async () => {
      server = createServer();
      const trace = traceServer(server);
      server.on('request', (incoming, response) => {
        trace!.describe(incoming, incoming.url === '/nowhere' ? undefined : '/blocks/:id', 'id-1');
        void pool.query({ name: 'block', text: 'SELECT 1' }).then(() => {
          response.statusCode = incoming.url === '/broken' ? 500 : 200;
          response.end('{}');
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });

    afterEach(() => void server.close());

    const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });

    it('records errors of answers, and names the span after the method if no route matches', async () => {
      await get('/broken');
      await get('/nowhere');
      const broken = await collector.find(({ attributes }) => attributes['url.path'] === '/broken');
      expect(broken).toMatchObject({ isError: true, attributes: { 'http.response.status_code': 500 } });
      const nowhere = await collector.find(({ attributes }) => attributes['url.path'] === '/nowhere');
      expect(nowhere).toMatchObject({ name: 'GET', isError: false });
    });

    it('ends the span if the client disconnects', async () => {
      const { port } = server.address() as AddressInfo;
      const client = await pool.connect();
      const leaving = request({ port, path: '/left' });
      leaving.on('error', () => undefined);
      leaving.end();
      await once(server, 'request');
      leaving.destroy();
      const left = await collector.find(({ attributes }) => attributes['url.path'] === '/left');
      expect(left.attributes['error.type']).toBe('connection_closed');
      client.release();
    });

    it('omits requests that the client does not want sampled', async () => {
      await get('/unsampled', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' });
      await get('/sampled');
      await collector.find(({ attributes }) => attributes['url.path'] === '/sampled');
      expect(collector.spans.map(({ attributes }) => attributes['url.path'])).not.toContain('/unsampled');
    });
  });
});

describe('without a collector', () => {
  it.each<Record<string, string>>([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
  ])('runs work directly, and leaves servers and clients unchanged: %j', async (environment) => {
    const server = createServer();
    const methods = (): unknown[] => [Reflect.get(server, 'emit'), Reflect.get(pg.Client.prototype, 'query')];
    const before = methods();
    const telemetry = await start(environment);
    expect(traceServer(server)).toBeNull();
    expect(methods()).toEqual(before);
    expect(await traced({ name: 'x' }, async () => 5)).toBe(5);
    await telemetry.stop();
  });

  it('rejects an invalid address and names the variable', () => {
    expect(() => readSettings(telemetrySettings, { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(
      /OTEL_EXPORTER_OTLP_ENDPOINT: it must be a URL that begins with http:\/\//,
    );
  });
});

describe('with a broken collector', () => {
  let silent: Server;

  beforeAll(async () => {
    silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });

  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  const silentUrl = (): string => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  // With a long limit of its own, a delivery has not failed yet when the app stops.
  it.each([
    ['cannot be reached', () => 'http://127.0.0.1:1', '2000'],
    ['never answers', silentUrl, '2000'],
    ['never answers, and a delivery may take a minute', silentUrl, '60000'],
  ])('continues work, logs one line and stops within two seconds if it %s', async (_name, url, limit) => {
    said.length = 0;
    const telemetry = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: url(),
      OTEL_EXPORTER_OTLP_TIMEOUT: limit,
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
    for (let span = 0; span < 5_000; span += 1) await traced({ name: 'lost' }, async () => undefined);
    const stoppedAt = performance.now();
    await telemetry.stop();
    expect(performance.now() - stoppedAt).toBeLessThan(6_000);
    expect(said).toEqual([
      expect.objectContaining({ text: 'traces could not be delivered: see OTEL_EXPORTER_OTLP_ENDPOINT' }),
    ]);
  });
});
