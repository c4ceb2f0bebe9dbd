import { getEventListeners } from 'node:events';
import { RoundhouseClient } from './client.js';
import type { ClientOptions } from './client-options.js';
import { ApiError, NetworkError, RateLimitError, TimeoutError, UnexpectedAnswerError } from './errors.js';
import { cutOff, json, silent, StandIn } from './stand-in.harness.js';

const SUPPLY = '{"supply":13092005600000001,"success":true}';
const BUSY = '{"success":false,"error":"The index cannot be read at the moment."}';
const LIMITED = '{"success":false,"error":"Too many requests."}';

describe('the client', () => {
  let api: StandIn;
  afterEach(() => api.close());

  const clientOf = (options: ClientOptions = {}): RoundhouseClient =>
    new RoundhouseClient(api.url, { backoffMs: 1, ...options });

  const failure = async (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => {
        throw new Error('It did not fail.');
      },
      (error: unknown) => error as Error,
    );

  it('returns amounts as bigint with every digit, and all other numbers as number', async () => {
    api = await StandIn.start(
      json(
        '{"height":7,"fee":10000000,"supply":13092005600000001,"reward":0,"epoch":"\\"supply\\":5","success":true}',
      ),
    );
    const status = await clientOf().get('/api/blocks/getStatus');
    expect(status).toEqual({
      height: 7,
      fee: 10_000_000n,
      supply: 13_092_005_600_000_001n,
      reward: 0n,
      epoch: '"supply":5',
      success: true,
    });
    expect(api.requests[0]!.headers['api-version']).toBe('1');
  });

  it('leaves the asset of a transaction as it is: its fields are those of any program', async () => {
    const asset = { order: { amount: 0.5, fee: 1e20, reward: [1] } };
    api = await StandIn.start(
      json(
        `{"transactions":[{"amount":5,"asset":${JSON.stringify(asset)}}],"nextCursor":null,"success":true}`,
      ),
    );
    const { transactions } = await clientOf().get('/api/transactions');
    expect(transactions).toEqual([{ amount: 5n, asset }]);
  });

  it.each([
    ['ftp://node', /begins with http/],
    ['http://me:secret@node', /pass them as the header "authorization"/],
    ['http://node/base?key=1', /has a query or a fragment/],
    ['http://node/#top', /has a query or a fragment/],
  ])('refuses the URL %s, of which a part would vanish', (url, message) => {
    expect(() => new RoundhouseClient(url)).toThrow(message);
  });

  it('sends the given query parameters, encoded', async () => {
    api = await StandIn.start(json('{"delegates":[],"success":true}'));
    await clientOf({ headers: { 'x-request-id': 'mine' } }).get('/api/delegates/search', {
      q: 'a b&c',
      limit: undefined,
      offset: 0,
    });
    expect(api.requests[0]!.url).toBe('/api/delegates/search?q=a+b%26c&offset=0');
    expect(api.requests[0]!.headers['x-request-id']).toBe('mine');
  });

  it('puts parameters of the path into the path, encoded, and all others into the query', async () => {
    api = await StandIn.start(json('{"transactions":[],"nextCursor":null,"success":true}'));
    await clientOf().get('/api/accounts/{account}/transactions', {
      account: 'a/b $&',
      minAmount: 9_007_199_254_740_993n,
      cursor: undefined,
    });
    expect(api.requests[0]!.url).toBe('/api/accounts/a%2Fb%20%24%26/transactions?minAmount=9007199254740993');
  });

  it.each(['.', '..'])('asks for %j in the query, because it would be another path', async (account) => {
    api = await StandIn.start(json('{"transactions":[],"nextCursor":null,"success":true}'));
    await clientOf().get('/api/accounts/{account}/transactions', { account, limit: 1 });
    expect(api.requests[0]!.url).toBe(`/api/accounts/-/transactions?account=${account}&limit=1`);
  });

  it('does not send an empty part of a path, which would be another path', async () => {
    api = await StandIn.start(json('{"transactions":[],"nextCursor":null,"success":true}'));
    const asked = clientOf().get('/api/accounts/{account}/transactions', { account: '' });
    await expect(asked).rejects.toThrow(TypeError);
    expect(api.requests).toEqual([]);
  });

  it('retries after 503 and 429, no sooner than the API asks for', async () => {
    api = await StandIn.start(json(BUSY, 503), json(LIMITED, 429, { 'retry-after': '0.2' }), json(SUPPLY));
    const started = performance.now();
    expect((await clientOf().get('/api/blocks/getSupply')).supply).toBe(13_092_005_600_000_001n);
    expect(api.requests).toHaveLength(3);
    expect(performance.now() - started).toBeGreaterThanOrEqual(199);
  });

  it('retries after a broken connection', async () => {
    api = await StandIn.start(cutOff, json(SUPPLY));
    await clientOf().get('/api/blocks/getSupply');
    expect(api.requests).toHaveLength(2);
  });

  it('gives up after the last retry, with the sentence of the API', async () => {
    api = await StandIn.start(json(LIMITED, 429, { 'x-request-id': 'abc', 'retry-after': '0' }));
    const error = await failure(clientOf({ retries: 2 }).get('/api/blocks/getSupply'));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      code: 'RATE_LIMIT',
      status: 429,
      message: 'Too many requests.',
      requestId: 'abc',
    });
    expect(api.requests).toHaveLength(3);
  });

  it('does not wait longer than longestWaitMs', async () => {
    api = await StandIn.start(json(LIMITED, 429, { 'retry-after': '60' }));
    expect(await failure(clientOf().get('/api/blocks/getSupply'))).toMatchObject({ retryAfterMs: 60_000 });
    expect(api.requests).toHaveLength(1);
  });

  it('does not retry a wrong request or one for a missing block', async () => {
    api = await StandIn.start(json('{"success":false,"error":"There is no such block."}', 404));
    const error = await failure(clientOf().get('/api/blocks/get', { id: '5' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'API',
      status: 404,
      message: 'There is no such block.',
      retryAfterMs: null,
    });
    expect(api.requests).toHaveLength(1);
  });

  it('distinguishes a timeout, a refused connection and another program', async () => {
    api = await StandIn.start(silent);
    const slow = await failure(clientOf({ timeoutMs: 50, retries: 0 }).get('/api/blocks/getSupply'));
    expect(slow).toBeInstanceOf(TimeoutError);
    const client = clientOf({ retries: 0 });
    await api.close();
    const away = await failure(client.get('/api/blocks/getSupply'));
    expect(away).toBeInstanceOf(NetworkError);
    api = await StandIn.start(json('<html>'));
    expect(await failure(clientOf().get('/api/blocks/getSupply'))).toBeInstanceOf(UnexpectedAnswerError);
  });

  it('says in words that a server has no TLS', async () => {
    api = await StandIn.start(json('{}'));
    const url = api.url.replace('http:', 'https:');
    const { message } = await failure(new RoundhouseClient(url, { retries: 0 }).get('/api/blocks/getSupply'));
    expect(message).toContain('cannot be reached (TLS fails: ');
    expect(message).toMatch(/; write http:\/\/ if it has none\)\.$/);
  });

  it('ends at once when the caller aborts, also between two tries', async () => {
    api = await StandIn.start(json(BUSY, 503, { 'retry-after': '20' }));
    const controller = new AbortController();
    const asked = clientOf().get('/api/blocks/getSupply', {}, { signal: controller.signal });
    const failed = failure(asked);
    while (api.requests.length === 0) await new Promise(setImmediate);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await failed).toBe(reason);
  });

  it('leaves no listener on the signal of the caller, however its requests end', async () => {
    api = await StandIn.start(
      json(SUPPLY),
      json(BUSY, 503),
      json(SUPPLY),
      json('{"success":false,"error":"No."}', 404),
      json(SUPPLY),
    );
    const { signal } = new AbortController();
    const asked = Array.from({ length: 30 }, () => clientOf().get('/api/blocks/getSupply', {}, { signal }));
    const ended = await Promise.allSettled(asked);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each(['null', '[]', '7', '{"data":[],"meta":{}}'])(
    'rejects JSON that is not an answer of this API: %s',
    async (body) => {
      api = await StandIn.start(json(body));
      const asked = clientOf().get('/api/blocks', { limit: 1 });
      expect(await failure(asked)).toEqual(
        new UnexpectedAnswerError(`${api.url}/api/blocks?limit=1`, 'JSON of another form'),
      );
    },
  );

  it('has a statement as CSV', async () => {
    const csv = 'time,height\nopening\nclosing\n';
    api = await StandIn.start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(csv);
    });
    expect(await clientOf().statementCsv('A', { from: '2025-01-01' })).toBe(csv);
    expect(api.requests[0]!.url).toBe('/api/accounts/A/statement?from=2025-01-01&format=csv');
  });

  it('accepts the empty answer of getFees', async () => {
    api = await StandIn.start(json('{}'));
    expect(await clientOf().get('/api/blocks/getFees')).toEqual({});
  });

  it('refuses a URL that is not HTTP', async () => {
    api = await StandIn.start(silent);
    expect(() => new RoundhouseClient('localhost:x')).toThrow(TypeError);
  });
});
