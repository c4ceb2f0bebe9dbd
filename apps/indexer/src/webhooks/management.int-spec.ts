import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KNOWN_EVENTS } from '@roundhouse/storage';
import { createTestDatabase, readRecording, type TestDatabase } from '@roundhouse/testing';
import { Pool } from 'pg';
import { pino } from 'pino';
import { addressRangeOf, type AddressRange } from './addresses.js';
import { managementServer } from './management.server.js';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Shown {
  readonly id: string;
  readonly event: string;
  readonly token?: string;
}

const recorded = readRecording<Recorded & Record<string, unknown>>(
  'core-3.9-full',
  'webhooks-management.ndjson.gz',
);

const LOOPBACK = [addressRangeOf('127.0.0.0/8')!];

/** What a node derives from its body's length, or from time and connection. */
const COMPARED = ['content-type', 'cache-control', 'vary', 'accept-ranges'];

describe('the management of webhooks', () => {
  let database: TestDatabase;
  let pool: Pool;
  const servers: ReturnType<typeof managementServer>[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url, max: 2 });
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    await pool.end();
    await database.drop();
  });

  const listen = async (whitelist: readonly AddressRange[] = LOOPBACK): Promise<number> => {
    const server = managementServer(pool, whitelist, pino({ level: 'silent' }));
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };

  const ask = async (
    port: number,
    { method, path, requestHeaders, requestBody }: Omit<Recorded, 'status' | 'headers' | 'body'>,
  ): Promise<Reply> => {
    const sent = request({ port, method, path, headers: requestHeaders, agent: false });
    sent.end(requestBody ?? undefined);
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    const { statusCode, headers } = response;
    return { status: statusCode!, headers, body: Buffer.concat(chunks).toString() };
  };

  const headersOf = (headers: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(COMPARED.map((name) => [name, headers[name]]));

  it('answers the 163 recorded requests as the node did, but refuses events that no index knows', async () => {
    const port = await listen();
    const ours = new Map<string, string>();
    const refused = new Set<string>();
    const asOurs = (text: string): string => {
      for (const [id, own] of ours) text = text.replaceAll(id, own);
      return text;
    };
    /** Without the webhooks that we refused. */
    const expectedBody = (text: string): string => {
      if (!text.startsWith('{"data":[')) return text;
      const { data } = JSON.parse(text) as { data: readonly Shown[] };
      return JSON.stringify({ data: data.filter(({ id }) => !refused.has(id)) });
    };
    for (const each of recorded) {
      const reply = await ask(port, { ...each, path: asOurs(each.path) });
      const what = `${each.method} ${each.path} ${each.requestBody}`;
      const created =
        each.status === 201 ? (JSON.parse(each.body) as { data: Shown & { token: string } }).data : null;
      if (created !== null && !KNOWN_EVENTS.includes(created.event)) {
        refused.add(created.id);
        expect([what, reply.status]).toEqual([what, 422]);
        expect(JSON.parse(reply.body)).toMatchObject({
          error: 'Unprocessable Entity',
          message: expect.stringMatching(/^"event" is none that an index knows: use one of block\.applied, /),
        });
        continue;
      }
      let body = expectedBody(each.body);
      if (created !== null) {
        const { id, token } = (JSON.parse(reply.body) as { data: Shown }).data;
        expect([what, id]).toEqual([what, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
        expect(token).toMatch(/^[0-9a-f]{64}$/);
        expect(ours.has(created.id)).toBe(false);
        ours.set(created.id, id);
        body = body.replace(created.token, token!);
      }
      expect([what, reply.status, reply.body, headersOf(reply.headers)]).toEqual([
        what,
        each.status,
        asOurs(body),
        headersOf(each.headers),
      ]);
    }
    expect(recorded).toHaveLength(163);
    expect([ours.size, refused.size]).toMatchInlineSnapshot(`
     [
       73,
       24,
     ]
    `);
  });

  it('stores the half of the token that is sent, and of the rest only a hash', async () => {
    const port = await listen();
    const requestBody = '{"event":"block.applied","target":"http://x.example/","conditions":[]}';
    const { body } = await ask(port, {
      method: 'POST',
      path: '/api/webhooks',
      requestHeaders: {},
      requestBody,
    });
    const { token } = (JSON.parse(body) as { data: { token: string } }).data;
    const { rows } = await pool.query<{ row: string }>('SELECT webhooks::text AS row FROM webhooks');
    expect(rows[0]!.row).toContain(token.slice(0, 32));
    expect(rows[0]!.row).not.toContain(token.slice(32));
  });

  it('refuses clients whose address is not listed', async () => {
    const port = await listen([addressRangeOf('10.0.0.0/8')!]);
    const reply = await ask(port, {
      method: 'GET',
      path: '/api/webhooks',
      requestHeaders: {},
      requestBody: null,
    });
    expect([reply.status, reply.body]).toEqual([
      403,
      '{"statusCode":403,"error":"Forbidden","message":"Forbidden"}',
    ]);
  });

  it('refuses a body above 1 MiB and reads none of it as another request', async () => {
    const port = await listen();
    const requestBody = JSON.stringify({ event: 'x'.repeat(1024 * 1024) });
    const reply = await ask(port, { method: 'POST', path: '/api/webhooks', requestHeaders: {}, requestBody });
    expect([reply.status, reply.headers['connection']]).toEqual([422, 'close']);
    expect(reply.body).toContain('Payload content length greater than maximum allowed: 1048576');
  });
});
