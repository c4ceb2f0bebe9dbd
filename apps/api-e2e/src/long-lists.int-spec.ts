import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { eventually, TcpProxy } from '@roundhouse/testing';
import { startApi, startLoggedApi } from './support/api-under-test.js';
import { address, publicKey } from './support/hand-made-chain.js';
import { addVoters, CROWDED } from './support/many-voters.js';
import { readMetric } from './support/metrics.js';
import { moveHead } from './support/move-head.js';
import { openAnswer, readToEnd } from './support/open-answer.js';
import { decodedBytes, plainRequest } from './support/plain-request.js';
import { seedChain } from './support/seed.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

/** More than the buffers between an api and a client that does not read can hold. */
const VOTERS = 100_000;

const ALL = `/api/delegates/voters?publicKey=${CROWDED}`;

describe('a list of voters that is too long for memory', () => {
  let served: ServedChain;
  let whole: RunningApi;
  let own: RunningApi | undefined;

  beforeAll(async () => {
    served = await serveChain({
      seed: async (database) => {
        await seedChain(database);
        await addVoters(database, VOTERS);
      },
    });
    whole = await startApi(served.databaseUrl, { STREAM_FROM_VOTERS: '1000000' });
  });
  afterAll(async () => {
    await whole.close();
    await served.stop();
  });
  afterEach(async () => {
    await own?.close();
    own = undefined;
  });

  /** An api that streams one list at a time. */
  const startNarrow = async (): Promise<RunningApi> => {
    own = await startApi(served.databaseUrl, { MAX_STREAMS: '1', MAX_WAITING_REQUESTS: '2' });
    return own;
  };

  const untilMetric = (api: RunningApi, name: string, value: number): Promise<number> =>
    eventually(`${name} is ${value}`, async () => (await readMetric(api, name)) === value);

  const untilNoneIsOpen = (api: RunningApi): Promise<number> =>
    untilMetric(api, 'roundhouse_streams_open', 0);

  it.each(['', '&offset=7', '&limit=20000', '&limit=10000&offset=89999', '&limit=999999999999999'])(
    'has the same bytes as if it were made in one piece: %s',
    async (parameters) => {
      const expected = await plainRequest(whole.url + ALL + parameters);
      expect(expected.headers['content-length']).toBe(String(expected.bytes.length));
      // The parameters choose rows, so one list shows the codings.
      for (const coding of parameters === '' ? ['identity', 'gzip', 'br'] : ['identity']) {
        const answer = await plainRequest(served.api.url + ALL + parameters, { 'Accept-Encoding': coding });
        const { headers } = answer;
        expect([coding, answer.status, headers['content-encoding']]).toEqual([
          coding,
          200,
          coding === 'identity' ? undefined : coding,
        ]);
        expect(decodedBytes(answer).equals(expected.bytes)).toBe(true);
        expect([headers['content-length'], headers['transfer-encoding']]).toEqual([undefined, 'chunked']);
        for (const name of ['content-type', 'vary', 'x-chain-height', 'x-indexed-at', 'cache-control'])
          expect([name, headers[name]]).toEqual([name, expected.headers[name]]);
      }
    },
  );

  it.each(['&limit=9999', '&offset=90001', '&limit=0'])(
    'is one answer with its length if few voters are asked for: %s',
    async (parameters) => {
      const [answer, expected] = await Promise.all(
        [served.api, whole].map(({ url }) => plainRequest(url + ALL + parameters)),
      );
      expect(answer!.headers['content-length']).toBe(String(answer!.bytes.length));
      expect(answer!.headers.etag).toBe(expected!.headers.etag);
      expect(answer!.bytes.equals(expected!.bytes)).toBe(true);
    },
  );

  it.each(['identity', 'br'])(
    'of all accounts, as version 1 lists them, is streamed too: %s',
    async (coding) => {
      const accounts = async (limit: number, offset: number, orderBy: string) => {
        const path = `/api/v1/accounts/getAllAccounts?limit=${limit}&offset=${offset}&orderBy=${orderBy}`;
        const answer = await plainRequest(served.api.url + path, { 'Accept-Encoding': coding });
        const { accounts: listed, success } = JSON.parse(decodedBytes(answer).toString()) as {
          accounts: unknown[];
          success: boolean;
        };
        expect([answer.status, success]).toEqual([200, true]);
        return { listed, isStreamed: answer.headers['transfer-encoding'] === 'chunked' };
      };
      for (const order of ['balance:desc', 'rate:asc']) {
        const long = await accounts(2000, 90_000, order);
        const parts = await Promise.all([0, 1, 2, 3].map((n) => accounts(500, 90_000 + n * 500, order)));
        expect([long.isStreamed, ...parts.map(({ isStreamed }) => isStreamed)]).toEqual([
          true,
          false,
          false,
          false,
          false,
        ]);
        expect(long.listed).toEqual(parts.flatMap(({ listed }) => listed));
        expect((await accounts(2000, 200_000, order)).listed).toEqual([]);
      }
    },
  );

  it('is a 404 for a key that belongs to no delegate', async () => {
    const { status } = await plainRequest(
      `${served.api.url}/api/delegates/voters?publicKey=${publicKey(20)}`,
    );
    expect(status).toBe(404);
  });

  it('has its own tag for each coding, parameters and head, and is not sent to a client that has it', async () => {
    const { url } = served.api;
    const tagOf = async (parameters = '', coding = 'identity', api = url): Promise<string> => {
      const { headers, status, bytes } = await plainRequest(
        api + ALL + parameters,
        { 'Accept-Encoding': coding },
        'HEAD',
      );
      expect([status, bytes.length, headers['content-length']]).toEqual([200, 0, undefined]);
      expect(headers['x-chain-height']).toBeDefined();
      return headers.etag!;
    };
    const tags = await Promise.all([tagOf(), tagOf('&offset=1'), tagOf('', 'gzip'), tagOf('', 'br')]);
    expect(new Set(tags).size).toBe(4);
    const another = await startNarrow();
    expect(await tagOf('', 'identity', another.url)).toBe(tags[0]);
    const known = await plainRequest(url + ALL, { 'If-None-Match': tags[0] });
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, tags[0]]);
    await moveHead(served.database, 131, '131', true);
    await eventually('the tag changes', async () => (await tagOf()) !== tags[0]);
    const old = await plainRequest(url + ALL, { 'If-None-Match': tags[0] });
    expect([old.status, old.headers['x-chain-height']]).toEqual([200, '131']);
  });

  it('keeps its head while the chain moves on; one that waited has the newest', async () => {
    const api = await startNarrow();
    const { bytes } = await plainRequest(whole.url + ALL);
    const first = await openAnswer(api.url + ALL);
    const second = openAnswer(api.url + ALL);
    await untilMetric(api, 'roundhouse_streams_waiting', 1);
    const before = Number(first.headers['x-chain-height']);
    await served.database.transaction(async (manager) => {
      await manager.query(
        "UPDATE accounts SET balance = balance + 1 WHERE address = 'A' || lpad('1', 33, '0')",
      );
    });
    await moveHead(served.database, before + 1, String(before + 1), true);
    expect((await readToEnd(first)) === bytes.toString()).toBe(true);
    const { headers } = await second;
    expect(headers['x-chain-height']).toBe(String(before + 1));
    const [answer, expected] = [await readToEnd(await second), await plainRequest(whole.url + ALL)];
    expect(answer === expected.bytes.toString()).toBe(true);
    expect(answer === bytes.toString()).toBe(false);
  });

  it('leaves room for others when its client leaves', async () => {
    const api = await startNarrow();
    for (let turn = 0; turn < 3; turn += 1) {
      const left = await openAnswer(api.url + ALL);
      const waiting = openAnswer(api.url + ALL).catch(() => null);
      await untilMetric(api, 'roundhouse_streams_waiting', 1);
      left.destroy();
      (await waiting)!.destroy();
    }
    await untilNoneIsOpen(api);
    await eventually('PostgreSQL stops, too', async () => {
      const rows = await served.database.query<unknown[]>(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND state = 'active'",
      );
      return rows.length === 0;
    });
    expect(await readToEnd(await openAnswer(api.url + ALL))).toMatch(/"success":true}$/);
  });

  it('is sent to MAX_STREAMS clients at once; MAX_WAITING_REQUESTS wait, and further ones are refused', async () => {
    const api = await startNarrow();
    const first = await openAnswer(api.url + ALL);
    const waiting = [openAnswer(api.url + ALL), openAnswer(api.url + ALL)];
    await untilMetric(api, 'roundhouse_streams_waiting', 2);
    const { status, headers, bytes } = await plainRequest(api.url + ALL);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(bytes.toString()).toContain('Too many long lists wait');
    expect(await readMetric(api, 'roundhouse_streams_refused_total')).toBe(1);
    expect(await readMetric(api, 'roundhouse_streams_max')).toBe(1);
    // Other answers do not wait for them.
    expect((await plainRequest(`${api.url}/api/blocks?limit=3`)).status).toBe(200);
    expect((await plainRequest(`${api.operationsUrl}/health/ready`)).status).toBe(200);
    const texts = await Promise.all([first, ...waiting].map(async (answer) => readToEnd(await answer)));
    expect(texts).not.toContain(null);
    await untilNoneIsOpen(api);
  });

  it('keeps statements waiting until they have a place, also without a body', async () => {
    const api = await startNarrow();
    const statement = `${api.url}/api/accounts/${address(1)}/statement`;
    const first = await openAnswer(api.url + ALL);
    const [whole, head] = [plainRequest(statement), plainRequest(statement, {}, 'HEAD')];
    await untilMetric(api, 'roundhouse_streams_waiting', 2);
    expect(await readToEnd(first)).not.toBeNull();
    const answers = await Promise.all([whole, head]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [{ headers, bytes }] = answers;
    expect([answers[1].bytes.length, answers[1].headers.etag]).toEqual([0, headers.etag]);
    expect(JSON.parse(bytes.toString())).toMatchObject({ address: address(1), success: true });
    const known = await plainRequest(statement, { 'If-None-Match': headers.etag! });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    expect((await plainRequest(`${api.url}/api/accounts/nobody/statement`)).status).toBe(404);
    await untilNoneIsOpen(api);
  });

  it('sends a statement although the head has moved on: it is right at that head', async () => {
    const api = await startNarrow();
    const session = served.database.createQueryRunner();
    await session.startTransaction();
    await session.query('LOCK TABLE payments');
    const statement = plainRequest(`${api.url}/api/accounts/${address(1)}/statement`);
    await eventually('it is being made', async () => {
      const rows: unknown[] = await served.database.query('SELECT FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });
    const height = async (): Promise<number> =>
      Number((await plainRequest(`${api.url}/api/blocks/getHeight`)).headers['x-chain-height']);
    const before = await height();
    await moveHead(served.database, before + 1, String(before + 1), true);
    await eventually('a newer head is served', async () => (await height()) > before);
    await session.commitTransaction();
    await session.release();
    const { status, headers } = await statement;
    expect([status, headers['x-chain-height']]).toEqual([200, String(before)]);
    await untilNoneIsOpen(api);
  });

  it('is cut off if its client does not read, and the next one is served', async () => {
    const api = await startNarrow();
    const lazy = await openAnswer(api.url + ALL);
    const next = await openAnswer(api.url + ALL);
    expect(await readMetric(api, 'roundhouse_streams_slow_total')).toBe(1);
    expect(await readToEnd(next)).toMatch(/"success":true}$/);
    expect(await readToEnd(lazy)).toBeNull();
  });

  it('is sent to its end to a client that reads if the api stops, refused to those that wait, and cut off for a client that does not read', async () => {
    const api = await startApi(served.databaseUrl, { MAX_STREAMS: '2' });
    const [reader, lazy] = [await openAnswer(api.url + ALL), await openAnswer(api.url + ALL)];
    const waiting = plainRequest(api.url + ALL);
    await eventually('one waits', async () => (await readMetric(api, 'roundhouse_streams_waiting')) === 1);
    const startedAt = performance.now();
    const stopped = api.stop();
    const { status, headers, bytes } = await waiting;
    expect([status, headers['retry-after'], headers.connection]).toEqual([503, '1', 'close']);
    expect(bytes.toString()).toContain('is stopping');
    expect(await readToEnd(reader)).toMatch(/"success":true}$/);
    await stopped;
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    expect(await readToEnd(lazy)).toBeNull();
  });

  it('is cut off, which is logged once, if the api loses its database in the midst, and the next one is served', async () => {
    const proxy = await TcpProxy.before(served.databaseUrl);
    const logged = await startLoggedApi(proxy.url, { SLOW_REQUEST_MS: '1' });
    own = logged;
    const answer = await openAnswer(logged.url + ALL, { 'X-Request-Id': 'mine' });
    await proxy.cut();
    expect(await readToEnd(answer)).toBeNull();
    await proxy.restore();
    await eventually(
      'it serves again',
      async () => (await plainRequest(`${logged.url}${ALL}&limit=20000`)).status === 200,
    );
    const about = logged.lines.filter(({ requestId }) => requestId === 'mine');
    expect(about.map(({ msg }) => msg)).toEqual(['a streamed answer was cut off', 'a slow request']);
    await proxy.close();
  });

  // The last one: it damages the accounts.
  it('is refused as a whole, or cut off, if a row has a null in a required field', async () => {
    const api = await startNarrow();
    const set = (balance: number): Promise<unknown> =>
      served.database.query('UPDATE accounts SET public_key = NULL WHERE balance = $1 AND vote IS NOT NULL', [
        balance,
      ]);
    await set(33_000);
    const late = await plainRequest(api.url + ALL).catch(() => null);
    expect(late).toBeNull();
    await served.database.query('UPDATE accounts SET public_key = NULL WHERE vote IS NOT NULL');
    expect((await plainRequest(api.url + ALL)).status).toBe(500);
  });
});
