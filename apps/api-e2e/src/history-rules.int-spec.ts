import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { RoundhouseClient } from '@roundhouse/client';
import { writeAccountChangeCursor } from '@roundhouse/dto';
import { rebuildIndex } from '@roundhouse/storage';
import { randomChain } from '@roundhouse/testing';
import { Client } from 'pg';
import { PayoutsReader } from '@roundhouse/readers';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import { pastStates } from './support/past-states.js';
import { getError, getText } from './support/requests.js';

const BLOCKS = 120;
const UNDO_DEPTH = 30;

/** Undoing can make it the head again. */
const LOWEST_HEAD = BLOCKS - UNDO_DEPTH;

describe('the rules of the history routes', () => {
  const { network, blocks } = randomChain({ seed: 5, blocks: BLOCKS });
  const { delegates, accounts } = pastStates(network, blocks).at(-1)!;
  const [{ publicKey, address }] = delegates as [(typeof delegates)[number]];
  let index: GrowingIndex;
  let api: RunningApi;

  beforeAll(async () => {
    index = await GrowingIndex.create(network, { keepsHistory: true, undoDepth: UNDO_DEPTH });
    for (const block of blocks) await index.apply([block]);
    api = await startApi(index.url);
  });

  afterAll(async () => {
    await api.close();
    await index.close();
  });

  const pathsAt = (height: number | string): string[] => [
    `/api/history/supply?height=${height}`,
    `/api/history/accounts/${address}?height=${height}`,
    `/api/history/delegates?height=${height}`,
    `/api/history/delegates/${publicKey}/voters?height=${height}`,
    `/api/history/delegates/${publicKey}/payouts?from=1&to=${height}`,
    `/api/history/delegates/${publicKey}/payouts?from=1&to=${height}&format=csv`,
  ];

  const statementTo = (height: number): string =>
    `/api/accounts/${address}/statement?to=${height}&format=json`;

  const HEADLESS = [
    `/api/history/accounts/${address}/changes`,
    `/api/history/delegates/${publicKey}/rounds?limit=3`,
  ];

  it('an answer about a block that cannot be undone never changes', async () => {
    const { rows } = await index.query<{ lowest: number }>(
      'SELECT min(height) - 1 AS lowest FROM undo_accounts',
    );
    expect(rows).toEqual([{ lowest: LOWEST_HEAD }]);
    for (const streamFrom of ['10000', '1']) {
      const own = await startApi(index.url, { STREAM_FROM_VOTERS: streamFrom });
      try {
        for (const height of [1, LOWEST_HEAD, LOWEST_HEAD + 1, BLOCKS]) {
          for (const path of [...pathsAt(height), statementTo(height)]) {
            const { status, headers } = await getText(own.url, path);
            const isLasting = height <= LOWEST_HEAD;
            expect([path, status, headers.get('cache-control')]).toEqual([
              path,
              200,
              isLasting ? 'public, max-age=31536000, immutable' : 'public, max-age=1',
            ]);
          }
        }
      } finally {
        await own.close();
      }
    }
    for (const path of HEADLESS)
      expect((await getText(api.url, path)).headers.get('cache-control')).toBe('public, max-age=1');
  });

  it('an answer that never changes stays so if a rebuild is to reach further down', async () => {
    const client = new Client({ connectionString: index.url });
    await client.connect();
    const report = await rebuildIndex(client, { undoDepth: UNDO_DEPTH + 10, keepsHistory: true });
    await client.end();
    expect(report).toMatchObject({ finalHeight: LOWEST_HEAD });
    const own = await startApi(index.url);
    try {
      for (const path of pathsAt(LOWEST_HEAD))
        expect((await getText(own.url, path)).headers.get('cache-control')).toMatch(/immutable/);
    } finally {
      await own.close();
    }
    await expect(index.undoTo(LOWEST_HEAD - 1)).rejects.toThrow(/drop the history/);
  });

  it('an answer is not sent again to a client that has it', async () => {
    for (const path of [...pathsAt(BLOCKS), ...pathsAt(LOWEST_HEAD), ...HEADLESS]) {
      const { headers, text } = await getText(api.url, path);
      const again = await getText(api.url, path, { 'If-None-Match': headers.get('etag')! });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
      expect(again.headers.get('cache-control')).toBe(headers.get('cache-control'));
      expect(text).not.toBe('');
    }
  });

  it.each(['', '0', '-1', '1.5', 'x', '1e3', '9'.repeat(16)])('refuses the height "%s"', async (height) => {
    for (const path of pathsAt(height)) {
      const { status, body } = await getError(api.url, path);
      expect([path, status, body.error]).toEqual([path, 400, expect.stringMatching(/"(height|to)" must/)]);
    }
  });

  it('needs a height', async () => {
    for (const path of pathsAt(1).slice(0, 4)) {
      const { status, body } = await getError(api.url, path.split('?')[0]!);
      expect([status, body.error]).toEqual([400, 'The parameter "height" is required.']);
    }
  });

  it.each([BLOCKS + 1, 2 ** 31, 999_999_999_999_999])(
    'does not know what is above the head, and names the head: %i',
    async (height) => {
      for (const path of pathsAt(height)) {
        const { status, body } = await getError(api.url, path);
        const error = `There is no block ${height} yet: the head is ${BLOCKS}.`;
        expect([path, status, body]).toEqual([path, 404, { success: false, error }]);
      }
    },
  );

  it.each([
    [`/api/history/accounts/nobody?height=1`, /There was no account/],
    [`/api/history/accounts/${'A'.repeat(34)}?height=${BLOCKS}`, /There was no account/],
    [`/api/history/accounts/nobody/changes`, /There is no account/],
    [`/api/history/delegates/nobody/voters?height=1`, /There was no delegate/],
    [`/api/history/delegates/nobody/rounds`, /There is no delegate/],
    [`/api/history/delegates/${'02'.repeat(33)}/payouts?from=1&to=2`, /There was no delegate/],
    [`/api/history/delegates/${publicKey}`, /nothing at this path/],
    [`/api/history`, /nothing at this path/],
  ])('answers %s with 404', async (path, error) => {
    const { status, body } = await getError(api.url, path);
    expect({ status, body }).toEqual({
      status: 404,
      body: { success: false, error: expect.stringMatching(error) },
    });
  });

  it.each(['.', '..'])(
    'knows a delegate whose name URLs take for a folder, from the query: %s',
    async (name) => {
      const rename = 'UPDATE delegates SET username = $1 WHERE username = $2';
      const own = delegates[0]!.username;
      await index.query(rename, [name, own]);
      const { history } = new RoundhouseClient(api.url);
      const range = { from: 1, to: BLOCKS };
      try {
        for (const asked of [
          (delegate: string) => history.voters(delegate, BLOCKS - 1),
          (delegate: string) => history.rounds(delegate, 3),
          (delegate: string) => history.payouts(delegate, range),
          (delegate: string) => history.payoutsCsv(delegate, range),
        ])
          expect(await asked(name)).toEqual(await asked(publicKey));
        const both = `/api/history/delegates/${own}/voters?height=1&delegate=${name}`;
        expect(await getError(api.url, both)).toMatchObject({
          status: 400,
          body: { error: 'The parameter "delegate" is given more than once.' },
        });
      } finally {
        await index.query(rename, [own, name]);
      }
    },
  );

  const payouts = `/api/history/delegates/${publicKey}/payouts`;

  const TOO_MANY = Array.from({ length: 101 }, (_, index) => `A${String(index).padStart(33, '0')}`).join();

  it.each([
    ['from=0&to=5', /"from" must be at least 1/],
    ['from=6&to=5', /"from" must not be larger than "to"/],
    ['to=5', /"from" is required/],
    ['from=5', /"to" is required/],
    ['from=x&to=5', /"from" must be a whole number/],
    ['from=1&to=5&share=100.000001', /"share" must be a percentage/],
    ['from=1&to=5&share=1.2345678', /"share" must be a percentage/],
    ['from=1&to=5&share=-1', /"share" must be a percentage/],
    ['from=1&to=5&minimum=x', /"minimum" must be a whole number/],
    ['from=1&to=5&cap=-1', /"cap" must be a whole number/],
    ['from=1&to=5&exclude=me', /"exclude" must be at most 100 addresses/],
    [`from=1&to=5&exclude=${TOO_MANY}`, /"exclude" must be at most 100 addresses/],
    ['from=1&to=5&format=xml', /"format" must be one of json, csv/],
  ])('refuses payouts with %s', async (query, error) => {
    const { status, body } = await getError(api.url, `${payouts}?${query}`);
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(error) });
  });

  it.each([
    ['share=100.0', ''],
    ['share=007', 'share=7'],
    ['format=json', ''],
  ])('takes %s for "%s" in payouts', async (one, other) => {
    const [first, second] = [one, other].map((more) =>
      getText(api.url, `${payouts}?from=1&to=${BLOCKS}&${more}`),
    );
    expect((await first!).text).toBe((await second!).text);
  });

  // payouts.service.spec.ts says how many one answer may have.
  it('reads no more blocks of a delegate, and no more changes of weights, than payouts may have', async () => {
    const reader = new PayoutsReader({ query: ({ text, values }) => index.query(text, values) });
    const head = blocks.at(-1)!;
    for (const most of [2, 3]) {
      const range = { from: 1, to: BLOCKS };
      const forged = await reader.findForged(head, { publicKey }, range, most);
      expect(forged!.found.blocks).toHaveLength(most);
      expect(await reader.listWeights(head, publicKey, 1, BLOCKS, most)).toHaveLength(most);
    }
  });

  it('tells a client whose page ended at a block that a fork has undone to begin again', async () => {
    const path = `/api/history/accounts/${address}/changes`;
    const first = JSON.parse((await getText(api.url, `${path}?limit=1`)).text) as {
      readonly changes: readonly [{ readonly height: number }];
      readonly nextCursor: string;
    };
    const { height } = first.changes[0];
    const { id } = blocks[height - 1]!;
    expect(first.nextCursor).toBe(writeAccountChangeCursor({ height, blockId: id }));
    expect((await getText(api.url, `${path}?cursor=${first.nextCursor}`)).status).toBe(200);
    const undone = writeAccountChangeCursor({ height, blockId: blocks[0]!.id });
    expect((await getError(api.url, `${path}?cursor=${undone}`)).status).toBe(409);
    const ahead = writeAccountChangeCursor({ height: BLOCKS + 1, blockId: id });
    expect(await getError(api.url, `${path}?cursor=${ahead}`)).toMatchObject({
      status: 503,
      body: {
        error: `The page before ended at height ${BLOCKS + 1}, and the index here is at ${BLOCKS}; try again in a moment.`,
      },
    });
    for (const cursor of ['x', first.nextCursor.slice(1)])
      expect((await getError(api.url, `${path}?cursor=${cursor}`)).status).toBe(400);
    expect(accounts.size).toBeGreaterThan(1);
  });

  it('is 501 without history, at every height, and says how to get it; then no statement lasts', async () => {
    const bare = await GrowingIndex.create(network);
    await bare.apply(blocks.slice(0, 20));
    const own = await startApi(bare.url);
    try {
      for (const path of [...pathsAt(1), ...pathsAt(20), ...pathsAt(21), ...HEADLESS]) {
        const { status, headers, body } = await getError(own.url, path);
        expect([path, status, headers.get('cache-control'), body]).toEqual([
          path,
          501,
          'no-store',
          {
            success: false,
            error: 'This index keeps no history; set HISTORY=full for its indexer and run "indexer rebuild".',
          },
        ]);
      }
      // A rebuild with a larger UNDO_DEPTH makes blocks undoable again.
      const statement = await getText(own.url, statementTo(1));
      expect([statement.status, statement.headers.get('cache-control')]).toEqual([200, 'public, max-age=1']);
    } finally {
      await own.close();
      await bare.close();
    }
  });
});
