import { RoundhouseClient } from './client.js';
import { ForkError } from './errors.js';
import { json, StandIn } from './stand-in.harness.js';

const change = (height: number): string =>
  `{"height":${height},"blockId":"id${height}","balance":9007199254740993,"locked":0,"vote":null}`;

const page = (heights: readonly number[], nextCursor: string | null) =>
  json(
    `{"changes":[${heights.map(change).join()}],"nextCursor":${JSON.stringify(nextCursor)},"success":true}`,
  );

describe('the history of the client', () => {
  let api: StandIn;
  let client: RoundhouseClient;
  afterEach(() => api.close());

  const start = async (...answers: Parameters<typeof StandIn.start>): Promise<void> => {
    api = await StandIn.start(...answers);
    client = new RoundhouseClient(api.url, { backoffMs: 1, retries: 1 });
  };

  const asked = (): string[] => api.requests.map(({ url }) => url);

  it.each<[string, string, string, (own: RoundhouseClient) => Promise<unknown>, unknown]>([
    [
      'the supply',
      '/api/history/supply?height=7',
      '{"height":7,"supply":9007199254740993,"success":true}',
      (own) => own.history.supply(7),
      9_007_199_254_740_993n,
    ],
    [
      'an account',
      '/api/history/accounts/A%2F?height=7',
      '{"height":7,"account":{"address":"A/","balance":-1,"locked":2},"success":true}',
      (own) => own.history.account('A/', 7),
      { address: 'A/', balance: -1n, locked: 2n },
    ],
    [
      'delegates',
      '/api/history/delegates?height=7',
      '{"height":7,"delegates":[{"rank":1,"weight":5,"producedblocks":3}],"success":true}',
      (own) => own.history.delegates(7),
      [{ rank: 1, weight: 5n, producedblocks: 3 }],
    ],
    [
      'voters',
      '/api/history/delegates/d%20e/voters?height=7',
      '{"height":7,"accounts":[{"address":"A","balance":1,"locked":2}],"success":true}',
      (own) => own.history.voters('d e', 7),
      [{ address: 'A', balance: 1n, locked: 2n }],
    ],
    [
      'rounds',
      '/api/history/delegates/d/rounds?limit=2',
      '{"rounds":[{"round":3,"height":12,"weight":4,"rank":1}],"success":true}',
      (own) => own.history.rounds('d', 2),
      [{ round: 3, height: 12, weight: 4n, rank: 1 }],
    ],
    [
      'payouts',
      '/api/history/delegates/d/payouts?from=1&to=9&share=92.5&minimum=5&exclude=A%2CB',
      '{"from":1,"to":9,"forgedBlocks":1,"shared":5,"kept":1,"payouts":[{"address":"A","amount":5}],"success":true}',
      (own) => own.history.payouts('d', { from: 1, to: 9, share: '92.5', minimum: 5n, exclude: 'A,B' }),
      {
        from: 1,
        to: 9,
        forgedBlocks: 1,
        shared: 5n,
        kept: 1n,
        success: true,
        payouts: [{ address: 'A', amount: 5n }],
      },
    ],
  ])('has %s at a height', async (_, url, body, ask, expected) => {
    await start(json(body));
    expect(await ask(client)).toEqual(expected);
    expect(asked()).toEqual([url]);
  });

  it('has payouts as CSV, also after a busy server', async () => {
    const csv = 'address,amount\nA,9007199254740993\n';
    await start(json('{"success":false,"error":"Busy."}', 503), (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(csv);
    });
    expect(await client.history.payoutsCsv('d', { from: 1, to: 9 })).toBe(csv);
    expect(asked()[1]).toBe('/api/history/delegates/d/payouts?from=1&to=9&format=csv');
    expect(api.requests[1]!.headers.accept).toBe('text/csv');
  });

  it('follows the pages of changes to the end', async () => {
    await start(page([9, 8], 'c1'), page([5], null));
    const heights: number[] = [];
    for await (const { height, balance } of client.history.changes('A')) {
      heights.push(height);
      expect(balance).toBe(9_007_199_254_740_993n);
    }
    expect(heights).toEqual([9, 8, 5]);
    expect(asked()).toEqual(['/api/history/accounts/A/changes', '/api/history/accounts/A/changes?cursor=c1']);
  });

  it('names the last change before a fork', async () => {
    await start(page([9, 8], 'c1'), json('{"success":false,"error":"Begin again."}', 409));
    const heights: number[] = [];
    const read = async (): Promise<void> => {
      for await (const { height } of client.history.changes('A')) heights.push(height);
    };
    await expect(read()).rejects.toEqual(new ForkError(8, 'id8'));
    expect(heights).toEqual([9, 8]);
  });
});
