import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectSameAsNode } from './core-v2/compare-answers.js';
import { INTENDED_DIFFERENCES } from './core-v2/intended-differences.js';
import { ask } from './core-v2/node-client.js';
import { recordedPosts, recordedStates, type RecordedRequest } from './core-v2/recorded-requests.js';
import { ServedIndex } from './served-index.js';

const HEAD = 352;

const GET: RecordedRequest = {
  method: 'GET',
  path: '/api/blockchain',
  requestHeaders: {},
  status: 200,
  headers: {},
  body: '',
};

describe("Core's version 2, over the chain of a Core 3.9.1 node in other states", () => {
  let index: ServedIndex;
  let served: ServedIndex;
  beforeAll(async () => {
    index = await ServedIndex.open('core-3.9-full');
  });
  afterEach(() => served.stop());
  afterAll(() => index.close());

  const serve = async (height: number, settings: Readonly<Record<string, string>> = {}): Promise<void> => {
    served = await ServedIndex.of(index.index, height, settings);
  };

  const of = (state: string) => recordedStates.filter((request) => request.state === state);

  const expectSame = async (request: RecordedRequest): Promise<void> => {
    const reply = await ask(served.coreV2Url, request);
    const difference = INTENDED_DIFFERENCES.find(({ applies }) => applies(request));
    try {
      if (difference) difference.check(reply, request);
      else expectSameAsNode(reply, request, new Map());
    } catch (error) {
      throw new Error(`${request.method} ${request.path}: ${(error as Error).message}`, { cause: error });
    }
  };

  it('refuses all that was posted, in the shapes that programs read', async () => {
    await serve(HEAD);
    expect(recordedPosts).toHaveLength(106);
    for (const request of recordedPosts) await expectSame(request);
  });

  it('refuses a post that is too long to be read, too', async () => {
    await serve(HEAD);
    const body = {
      transactions: Array.from({ length: 1000 }, (_, n) => ({ id: String(n).padStart(64, '0') })),
    };
    const reply = await ask(served.coreV2Url, {
      ...GET,
      method: 'POST',
      path: '/api/transactions',
      requestBody: JSON.stringify(body),
    });
    expect(reply.status).toBe(422);
    expect(JSON.parse(reply.body)).toMatchObject({
      message: expect.stringContaining('Post the transaction'),
    });
  });

  it('knows how far it is behind, and lists itself as the only peer', async () => {
    await serve(HEAD + 10);
    expect(of('peers')).toHaveLength(30);
    for (const request of of('peers')) await expectSame(request);
  });

  it('counts requests as the node did, and says in the same headers what is left', async () => {
    const LIMIT = 100;
    await serve(HEAD, { RATE_LIMIT: String(LIMIT) });
    let left = LIMIT;
    const replayed = of('rate-limit');
    expect(replayed).toHaveLength(21);
    for (const request of replayed) {
      const { 'x-ratelimit-remaining': remaining } = request.headers;
      // Those that were sent between two recorded ones.
      for (; remaining !== undefined && left > Number(remaining) + 1; left -= 1)
        await ask(served.coreV2Url, GET);
      if (remaining !== undefined) left = Number(remaining);
      // This node estimated its counts.
      const body = request.body.replace('"totalCountIsEstimate":true', '"totalCountIsEstimate":false');
      const reply = await ask(served.coreV2Url, request);
      expectSameAsNode(reply, { ...request, body }, new Map());
      const { 'x-ratelimit-reset': reset, 'retry-after': retry, ...headers } = reply.headers;
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
        expect({ [name]: headers[name] }).toEqual({ [name]: request.headers[name] });
      expect(reset === undefined).toBe(remaining === undefined);
      if (reset !== undefined) expect(Date.parse(reset as string)).toBeGreaterThan(Date.now() - 1000);
      if (reply.status === 429) expect(Number(retry)).toBeGreaterThanOrEqual(1);
    }
  });

  it('refuses what may not wait as the node did', async () => {
    await serve(HEAD, { MAX_WAITING_REQUESTS: '2' });
    for (const request of of('queue')) {
      const { client } = index.index;
      await client.query('BEGIN; LOCK TABLE transactions');
      // Each is another one: equal ones would share an answer.
      const sent = Array.from({ length: 9 }, (_, page) =>
        ask(served.coreV2Url, { ...request, path: `${request.path}&page=${page + 1}` }),
      );
      const first = await Promise.race(sent);
      await client.query('COMMIT');
      expectSameAsNode(first, request, new Map());
      expect(first.headers['retry-after']).toBe('1');
      for (const { status } of await Promise.all(sent)) expect([200, 429]).toContain(status);
    }
  });
});
