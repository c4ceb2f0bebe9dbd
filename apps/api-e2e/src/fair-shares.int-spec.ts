import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FairPlaces } from '@roundhouse/api';
import { eventually } from '@roundhouse/testing';
import { delegates } from './support/hand-made-chain.js';
import { lockBlocks } from './support/locked-blocks.js';
import { addVoters, CROWDED } from './support/many-voters.js';
import { readMetric } from './support/metrics.js';
import { openAnswer, readToEnd } from './support/open-answer.js';
import { plainRequest } from './support/plain-request.js';
import { seedChain } from './support/seed.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

/** Of the client that asks for much. */
const CONNECTIONS = 40;

/** Of the other client. */
const FEW = 3;
const OTHER = '192.0.2.2';

/** Every request is different, so that none can share another's answer. */
const KINDS: readonly [what: string, places: number, mostWaiting: number, path: (index: number) => string][] =
  [
    ['pages', 4, 32, (index) => `/search?q=text${index}`],
    ['lists of version 1', 3, CONNECTIONS, (index) => `/api/v1/accounts/top?limit=5&offset=${index}`],
    ['lists of version 2', 3, CONNECTIONS, (index) => `/api/v2/wallets?limit=5&offset=${index}`],
    ['answers', 20, CONNECTIONS, (index) => `/api/blocks?limit=1&offset=${index}`],
    [
      ...(['payouts', 1, CONNECTIONS] as const),
      (index) => `/api/history/delegates/${delegates[0]!.username}/payouts?from=1&to=99&share=${index + 1}`,
    ],
  ];

/** Notes who is given each place from now on. Answers that are made side by side may end in another order. */
const noteGiven = () => {
  const clients: string[] = [];
  const taking = jest.spyOn(FairPlaces.prototype, 'take');
  const take = taking.getMockImplementation()!;
  taking.mockImplementation(async function (this: FairPlaces, asker) {
    const isGiven = await take.call(this, asker);
    if (isGiven) clients.push(asker.client);
    return isGiven;
  });
  return { clients, end: () => taking.mockRestore() };
};

describe('a client with 40 connections', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain({
      settings: {
        TRUST_PROXY: '1',
        MAX_STREAMS: '1',
        STREAM_FROM_VOTERS: '1000',
        MAX_WAITING_REQUESTS: '40',
      },
      seed: async (database) => {
        await seedChain(database);
        await addVoters(database, 50_000);
        await database.query('UPDATE head SET has_details = true');
      },
    });
  });
  afterAll(() => served.stop());

  const from = (client: number) => ({ 'X-Forwarded-For': `192.0.2.${client}` });

  it.each(KINDS)('leaves another client its share of %s', async (_, places, mostWaiting, path) => {
    const { api, database } = served;
    const ended: [client: number, status: number][] = [];
    const given = noteGiven();
    const ask = (client: number, first: number, count: number): Promise<void>[] =>
      Array.from({ length: count }, async (__, index) => {
        const { status } = await plainRequest(api.url + path(first + index), from(client));
        ended.push([client, status]);
      });
    const untilWaiting = (count: number): Promise<number> =>
      eventually(
        'all of them wait',
        async () => (await readMetric(api, 'roundhouse_requests_waiting')) === count,
      );
    // Without the lock, a fast api could answer each request before the next one comes.
    const lock = await lockBlocks(database, 'accounts', 'delegates');
    const greedy = ask(1, 0, CONNECTIONS);
    await untilWaiting(mostWaiting);
    const other = ask(2, CONNECTIONS, FEW);
    await eventually('the last of them waits, too', async () => {
      const refused = await readMetric(api, 'roundhouse_requests_refused_total');
      return (await readMetric(api, 'roundhouse_requests_waiting')) + refused >= mostWaiting + FEW;
    });
    await lock.unlock();
    await Promise.all([...greedy, ...other]);
    given.end();
    expect(ended.filter(([client]) => client === 2)).toEqual(Array.from({ length: FEW }, () => [2, 200]));
    expect(ended.filter(([, status]) => status === 200).length).toBeGreaterThan(mostWaiting / 2);
    // Those in a place come first, then one of each client in turn.
    const isOther = given.clients.map((client) => client === OTHER);
    expect(isOther.filter(Boolean)).toHaveLength(FEW);
    expect(isOther.lastIndexOf(true)).toBeLessThan(places + 2 * FEW);
  });

  it('counts no error if it leaves while its requests wait', async () => {
    const { api, database } = served;
    const countErrors = async (): Promise<number> => {
      const text = await (await fetch(`${api.operationsUrl}/metrics`)).text();
      const counts = text.matchAll(/^roundhouse_http_request_seconds_count\{.*status="5\d\d".*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await countErrors();
    const lock = await lockBlocks(database);
    const sent = Array.from({ length: CONNECTIONS }, (_, index) => {
      const each = request(`${api.url}/api/blocks?limit=2&offset=${index}`, { headers: from(3) });
      each.on('error', () => undefined).end();
      return each;
    });
    const untilWaiting = (count: number): Promise<number> =>
      eventually('they wait', async () => (await readMetric(api, 'roundhouse_requests_waiting')) === count);
    await untilWaiting(CONNECTIONS);
    for (const each of sent) each.destroy();
    await lock.unlock();
    await untilWaiting(0);
    expect(await countErrors()).toBe(before);
  });

  it('leaves another client its share of the lists that are streamed', async () => {
    const { api } = served;
    const all = `${api.url}/api/delegates/voters?publicKey=${CROWDED}`;
    const first = await openAnswer(all, from(1));
    const order: number[] = [];
    const ask = (client: number, count: number): Promise<void>[] =>
      Array.from({ length: count }, async () => {
        const answer = await openAnswer(`${all}&limit=1000`, from(client));
        if (answer.statusCode === 200) order.push(client);
        await readToEnd(answer);
      });
    const untilWaiting = (count: number): Promise<number> =>
      eventually('they wait', async () => (await readMetric(api, 'roundhouse_streams_waiting')) === count);
    const greedy = ask(1, CONNECTIONS);
    await untilWaiting(CONNECTIONS);
    const other = ask(2, 1);
    await eventually(
      'one gives way',
      async () => (await readMetric(api, 'roundhouse_streams_refused_total')) > 0,
    );
    await readToEnd(first);
    await Promise.all([...greedy, ...other]);
    expect(order.indexOf(2)).toBe(0);
  });
});
