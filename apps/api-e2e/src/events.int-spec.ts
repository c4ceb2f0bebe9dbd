import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiSettings, RunningApi } from '@roundhouse/api';
import { EventClient, eventually, randomChain, redisUrl, TcpProxy } from '@roundhouse/testing';
import { startApi, startLoggedApi } from './support/api-under-test.js';
import { readMetric } from './support/metrics.js';
import { GrowingIndex } from './support/growing-index.js';
import { connectTo } from './support/plain-request.js';
import { getError } from './support/requests.js';

const { network, blocks } = randomChain({ seed: 11, blocks: 90 });
const { blocks: otherBranch } = randomChain({ seed: 11, blocks: 90, forkFrom: 40 });

describe('/events', () => {
  let index: GrowingIndex;
  let height = 0;
  const open: { close(): void | Promise<void> }[] = [];

  beforeAll(async () => {
    index = await GrowingIndex.create(network);
    await apply(30);
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });
  afterAll(() => index.close());

  /** The next blocks, as one batch. */
  const apply = async (count: number, branch = blocks): Promise<void> => {
    await index.apply(branch.slice(height, height + count));
    height += count;
  };

  const undoTo = async (target: number): Promise<void> => {
    await index.undoTo(target);
    height = target;
  };

  const aPod = async (settings: Partial<Record<keyof ApiSettings, string>> = {}): Promise<RunningApi> => {
    const api = await startApi(index.url, settings);
    open.push(api);
    return api;
  };

  const aClient = async (
    api: RunningApi,
    headers: Record<string, string> = {},
    query = '',
  ): Promise<EventClient> => {
    const client = await EventClient.open(`${api.url}/events${query}`, headers);
    open.push(client);
    return client;
  };

  /** A client that has received the newest head. */
  const aReadyClient = async (api?: RunningApi): Promise<EventClient> => {
    const client = await aClient(api ?? (await aPod()));
    await eventually('the newest head', () => client.events.some(({ event }) => event === 'head'));
    return client;
  };

  const kindsOf = (client: EventClient): string[] => client.events.map(({ event }) => event);

  const received = (client: EventClient, count: number): Promise<number> =>
    eventually(`${count} events`, () => client.events.length >= count);

  /** The id of the newest event, which a client that is up to date has seen last. */
  const newestId = async (): Promise<string> => {
    const { rows } = await index.query<{ id: string }>('SELECT max(sequence) AS id FROM events');
    return rows[0]!.id;
  };

  it('starts with the newest head, and sends each one that follows', async () => {
    const client = await aReadyClient();
    expect(client.events[0]).toMatchObject({ event: 'head', data: { height: 30, id: blocks[29]!.id } });
    const before = client.events.length;
    await apply(2);
    await received(client, before + 1);
    const head = client.events[before]!;
    expect(head).toMatchObject({ event: 'head', data: { height: 32, id: blocks[31]!.id, blocks: 2 } });
    const api = open[0] as RunningApi;
    const answer = await fetch(`${api.url}/api/blocks/get?id=${blocks[31]!.id}`);
    const { block } = (await answer.json()) as { block: Record<string, unknown> };
    for (const field of ['timestamp', 'generatorPublicKey', 'numberOfTransactions', 'totalFee', 'reward']) {
      expect(head.data).toHaveProperty(field, block[field]);
    }
  });

  it('has the headers of a stream that no proxy may keep or compress', async () => {
    const client = await aClient(await aPod(), { 'accept-encoding': 'br, gzip', 'x-request-id': 'mine' });
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-chain-height': String(height),
      'x-request-id': 'mine',
      'api-version': '1',
      connection: 'close',
    });
    expect(client.headers).not.toHaveProperty('content-encoding');
    await eventually('the first bytes', () => client.retryMs >= 1000 && client.retryMs < 3000);
  });

  it('sends a fork, the last common block as the head, and then the heads of the other branch', async () => {
    await apply(45 - height);
    const client = await aReadyClient();
    const before = client.events.length;
    await undoTo(38);
    await apply(4, otherBranch);
    await eventually('the other branch', () =>
      /"height":42/.test(JSON.stringify(client.events.slice(before))),
    );
    const told = client.events.slice(before).filter(({ event }) => event !== 'round');
    expect(told).toMatchObject([
      {
        event: 'fork',
        data: { commonHeight: 38, commonId: blocks[37]!.id, from: { height: 45, id: blocks[44]!.id } },
      },
      { event: 'head', data: { height: 38, id: blocks[37]!.id, blocks: 0 } },
      { event: 'head', data: { height: 42, id: otherBranch[41]!.id, blocks: 4 } },
    ]);
    await undoTo(30);
  });

  it('continues in any pod after the last event seen in another, because all pods use the same ids', async () => {
    const one = await aPod();
    const other = await aPod();
    (await aReadyClient(one)).close();
    const staying = await aReadyClient(other);
    const known = staying.events.length;
    const lastEventId = staying.events.at(-1)!.id!;
    for (let times = 0; times < 6; times += 1) await apply(1);
    await eventually('six heads', () => kindsOf(staying).filter((kind) => kind === 'head').length === 7);
    const again = await aClient(one, { 'last-event-id': lastEventId });
    const byParameter = await aClient(one, {}, `?lastEventId=${lastEventId}&_=1`);
    const missed = staying.events.slice(known);
    await received(again, missed.length);
    await received(byParameter, missed.length);
    expect(again.events).toEqual(missed);
    expect(byParameter.events).toEqual(missed);
  });

  it('waits for an event that the client has seen but the pod has not', async () => {
    const api = await aPod();
    await aReadyClient(api);
    // A head that this pod has not read: its transaction is still open.
    const future = String(BigInt(await newestId()) + 1_000_000n);
    const ahead = await aClient(api, { 'last-event-id': future });
    await eventually('the first bytes', () => ahead.retryMs > 0);
    expect(ahead.events).toEqual([]);
    await index.query(`INSERT INTO events (sequence, kind, data) VALUES ($1, 'head', '{"height":0}')`, [
      future,
    ]);
    await apply(1);
    await received(ahead, 1);
    expect(ahead.events[0]).toMatchObject({ event: 'head', data: { height } });
    expect(kindsOf(ahead)).not.toContain('reset');
  });

  it.each([
    ['is not an id', 'yesterday'],
    ['was never sent', '17'],
    ['is older than the kept events', '1700000000000000'],
  ])('makes a client whose id %s start again', async (_, id) => {
    const client = await aClient(await aPod(), { 'last-event-id': id });
    await received(client, 2);
    expect(client.events[0]).toEqual({ event: 'reset', data: { commonHeight: 0 } });
    expect(client.events[1]).toMatchObject({ event: 'head', data: { height } });
    expect(client.events[1]!.id).toMatch(/^\d{16}$/);
  });

  it('makes a client start again at the next event if its id comes from another database and is larger than any here', async () => {
    const id = BigInt(await newestId()) + 100_000_000n;
    const client = await aClient(await aPod(), { 'last-event-id': String(id) });
    await index.query('UPDATE events SET sequence = sequence + 200000000 WHERE sequence = $1', [
      await newestId(),
    ]);
    await apply(1);
    // The old head may come first, if the api looks between the two changes.
    await eventually('the new head', () =>
      client.events.some(
        ({ event, data }) => event === 'head' && (data as { height: number }).height === height,
      ),
    );
    expect(client.events[0]).toEqual({ event: 'reset', data: { commonHeight: 0 } });
  });

  it('makes a client whose id is above all existing ones start again, even without a new event', async () => {
    const id = BigInt(await newestId()) + 100_000_000n;
    const client = await aClient(await aPod(), { 'last-event-id': String(id) });
    await eventually('a reset and a head', () => client.events.length >= 2);
    expect(client.events[0]).toEqual({ event: 'reset', data: { commonHeight: 0 } });
    expect(client.events[1]).toMatchObject({ event: 'head', data: { height } });
  });

  it('makes all clients start again if the events since the last reading are gone', async () => {
    const client = await aReadyClient();
    const before = client.events.length;
    await index.query('DELETE FROM events');
    await apply(1);
    await received(client, before + 2);
    expect(client.events[before]).toEqual({ event: 'reset', data: { commonHeight: 0 } });
    expect(client.events[before + 1]).toMatchObject({ event: 'head', data: { height } });
  });

  it('accepts at most EVENTS_MAX_CLIENTS, refuses the next one with a reason, and accepts another when one has left', async () => {
    const api = await aPod({ EVENTS_MAX_CLIENTS: '2' });
    const one = await aClient(api);
    await aClient(api);
    const refused = await getError(api.url, '/events');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(refused.body.success).toBe(false);
    one.close();
    await eventually('there is room', async () => (await aClient(api)).status === 200);
    expect(await readMetric(api, 'roundhouse_event_clients')).toBe(2);
    expect(await readMetric(api, 'roundhouse_event_clients_refused_total')).toBeGreaterThanOrEqual(1);
  });

  it('makes room for an address with fewer clients if all places are taken', async () => {
    const api = await aPod({ EVENTS_MAX_CLIENTS: '4', TRUST_PROXY: '1' });
    const from = (address: string): Promise<EventClient> => aClient(api, { 'x-forwarded-for': address });
    const greedy: EventClient[] = [];
    while (greedy.length < 4) greedy.push(await from('203.0.113.1'));
    expect((await from('203.0.113.1')).status).toBe(503);
    const others = [await from('203.0.113.2'), await from('203.0.113.3'), await from('203.0.113.2')];
    expect(others.map(({ status }) => status)).toEqual([200, 200, 503]);
    await Promise.all([greedy[0]!.ended, greedy[1]!.ended]);
    const before = greedy[3]!.length;
    await apply(1);
    await eventually('the newer ones are served', () => greedy[3]!.length > before);
    expect((await from('203.0.113.1')).status).toBe(503);
    expect(await readMetric(api, 'roundhouse_event_clients')).toBe(4);
    expect(await readMetric(api, 'roundhouse_event_clients_displaced_total')).toBe(2);
  });

  it('counts one client for a connection that requests the stream many times, and none when it has closed', async () => {
    const api = await aPod();
    const greedy = connectTo(api.url);
    greedy.resume();
    greedy.write('GET /events HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(90));
    const clients = (): Promise<number> => readMetric(api, 'roundhouse_event_clients');
    await eventually('it is served', async () => (await clients()) > 0);
    expect(await clients()).toBe(1);
    greedy.destroy();
    await eventually('it is gone', async () => (await clients()) === 0);
  });

  const itWithRedis = redisUrl() === null ? it.skip : it;

  itWithRedis('does not count a client that leaves while Redis is asked for its rate limit', async () => {
    const proxy = await TcpProxy.before(redisUrl()!);
    open.push(proxy);
    const aSharingPod = async (): Promise<RunningApi> => {
      const api = await startLoggedApi(index.url, { RATE_LIMIT: '100', REDIS_URL: proxy.url });
      open.push(api);
      expect((await fetch(`${api.url}/api/blocks`)).status).toBe(200);
      // On a busy machine, Redis may be too slow for it; then no request waits for Redis.
      return api.lines.length === 0 ? api : aSharingPod();
    };
    const api = await aSharingPod();
    proxy.freeze();
    const hasty = connectTo(api.url);
    await once(hasty, 'connect');
    hasty.end('GET /events HTTP/1.1\r\nHost: here\r\n\r\n');
    await once(hasty, 'close');
    // This request waits for the same answer of Redis, after that of the client that left.
    expect((await fetch(`${api.url}/api/blocks`)).status).toBe(200);
    expect(await readMetric(api, 'roundhouse_event_clients')).toBe(0);
  });

  it('drops a client that does not read, and continues with the others', async () => {
    const api = await aPod({ EVENTS_HEARTBEAT_MS: '300' });
    const client = await aClient(api);
    const slow = connectTo(api.url);
    slow.pause();
    slow.write('GET /events HTTP/1.1\r\nHost: here\r\n\r\n');
    await eventually(
      'both are served',
      async () => (await readMetric(api, 'roundhouse_event_clients')) === 2,
    );
    // More than the sockets can hold: only the amount matters.
    const filler = 'x'.repeat(1_000_000);
    const isDropped = async (): Promise<boolean> => {
      const before = client.length;
      await index.query(
        `INSERT INTO events (sequence, kind, data) SELECT max(sequence) + 1, 'head', to_json($1::text) FROM events`,
        [filler],
      );
      await index.query('UPDATE head SET indexed_at = clock_timestamp()');
      await eventually('the other has it', () => client.length > before + filler.length);
      return (await readMetric(api, 'roundhouse_event_clients_dropped_total')) === 1;
    };
    await eventually('it is dropped', isDropped);
    expect(await readMetric(api, 'roundhouse_event_clients')).toBe(1);
    const before = client.length;
    await eventually('the other is served', () => client.length > before);
    slow.destroy();
    await index.query(`DELETE FROM events WHERE length(data::text) > 100000`);
  });

  it('ends its streams cleanly when the api stops, without waiting for them', async () => {
    const api = await startApi(index.url);
    const client = await aReadyClient(api);
    const start = performance.now();
    await api.stop();
    await client.ended;
    expect(client.isComplete).toBe(true);
    // It would wait 8 s for a client.
    expect(performance.now() - start).toBeLessThan(7_000);
  });

  it('answers HEAD, OPTIONS and other methods like all paths', async () => {
    const { url } = await aPod({ EVENTS_MAX_CLIENTS: '0' });
    const head = await fetch(`${url}/events`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const options = await fetch(`${url}/events`, { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers.get('access-control-allow-headers')).toContain('Last-Event-ID');
    const post = await getError(url, '/Events/', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await getError(url, '/events/more')).status).toBe(404);
    expect((await getError(url, '/events?lastEventId=1&lastEventId=2')).status).toBe(400);
  });

  it('reports an emptied index as a fork down to nothing', async () => {
    const client = await aReadyClient();
    const before = client.events.length;
    await index.reset();
    await received(client, before + 1);
    expect(client.events[before]).toMatchObject({
      event: 'fork',
      data: { commonHeight: 0, commonId: '0', from: { height } },
    });
  });
});
