import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRecording } from '@roundhouse/testing';
import { parseLosslessJson } from '@roundhouse/chain';
import { headOf } from './recorded-chains.js';
import { ServedIndex } from './served-index.js';
import { asOurVoters, withBigBalances, type VoterAnswer } from './voters.js';

type Json = Record<string, unknown>;

interface DelegateAnswer extends Json {
  username: string;
  address: string;
  publicKey: string;
  vote: string;
  producedblocks: number;
}

const byPublicKey = (a: { publicKey: string }, b: { publicKey: string }): number =>
  a.publicKey < b.publicKey ? -1 : 1;

describe.each([
  ['core-2.4', 61, 1],
  // The node takes the names 1, 7, 1e3, 0x1f, true and false for numbers and booleans, and finds no such delegate.
  ['core-2.4-full', 71, 6],
] as const)('what the Core 2.4 node of %s answered at its head', (recording, count, namesLikeNumbers) => {
  const head = headOf(recording);

  /** The node's own answers at the head, by path; requests that it refused are left out. */
  const answers = new Map(
    readRecording<{ path: string; headers: Json; body: string }>(recording, 'node-v1-answers.ndjson.gz')
      .filter(({ headers }) => headers['API-Version'] === '1')
      .map(({ path, body }) => [path, parseLosslessJson(body) as Json] as const)
      .filter(([, body]) => body['success'] === true),
  );

  const pathsLike = (pattern: RegExp): string[] => [...answers.keys()].filter((path) => pattern.test(path));
  const nodeAnswer = <T>(path: string): T => answers.get(path) as T;

  const delegates = pathsLike(/^\/api\/delegates\/get\?publicKey=0[0-9a-f]+$/).map(
    (path) => nodeAnswer<{ delegate: DelegateAnswer }>(path).delegate,
  );
  /** The node returns empty lists and zeros for keys that belong to no delegate; we return 404. */
  const isOfDelegate = (path: string): boolean =>
    delegates.some(({ publicKey }) => path.endsWith(`ublicKey=${publicKey}`));
  const usernames = new Map(delegates.map(({ address, username }) => [address, username]));
  /** Address → the delegate it votes for, from the node's lists of voters. */
  const votes = new Map(
    pathsLike(/^\/api\/delegates\/voters\?publicKey=[^&]*$/).flatMap((path) =>
      nodeAnswer<{ accounts: VoterAnswer[] }>(path).accounts.map(
        ({ address }) => [address, path.slice(path.indexOf('=') + 1)] as const,
      ),
    ),
  );

  const contractDelegate = ({ username, address, publicKey }: DelegateAnswer): Json => ({
    username,
    address,
    publicKey,
    vote: votes.get(address) ?? null,
  });

  let served: ServedIndex;
  beforeAll(async () => {
    served = await ServedIndex.open(recording);
  });
  afterAll(() => served.close());

  it.each([
    '/api/signatures/fee',
    '/api/blocks/getFee',
    '/api/blocks/getEpoch',
    '/api/blocks/getHeight',
    '/api/blocks/getheight',
    '/api/blocks/getMilestone',
    '/api/blocks/getNethash',
    '/api/blocks/getReward',
    '/api/blocks/getSupply',
    '/api/delegates/count',
    '/api/delegates/getNextForgers',
    '/api/delegates/getNextForgers?limit=1',
    '/api/delegates/getNextForgers?limit=51',
  ])('%s is the same', async (path) => {
    expect(answers.has(path)).toBe(true);
    expect(await served.get(path)).toEqual(nodeAnswer(path));
  });

  it('autoconfigure is the same, without the ports', async () => {
    const { ports: _, ...network } = nodeAnswer<{ network: Json }>('/api/loader/autoconfigure').network;
    expect(await served.get('/api/loader/autoconfigure')).toEqual({ success: true, network });
  });

  it('the loader is the same, with 0 missing blocks; the node, alone in its network, reports minus its height', async () => {
    for (const [path, key] of [
      ['/api/loader/status', 'blocksCount'],
      ['/api/loader/status/sync', 'blocks'],
    ] as const) {
      expect(nodeAnswer<Json>(path)[key]).toBe(-head);
      expect(await served.get(path)).toEqual({ ...nodeAnswer<Json>(path), [key]: 0 });
    }
  });

  it('getStatus is the same, except that our supply includes one more reward', async () => {
    const node = nodeAnswer<{ supply: number | bigint; reward: number }>('/api/blocks/getStatus');
    expect(await served.get('/api/blocks/getStatus')).toEqual({
      ...node,
      supply: BigInt(node.supply) + BigInt(node.reward),
    });
  });

  it('delegates/fee is the same, with one more field: the delegate that registered last', async () => {
    const answer = await served.get<{ delegate: Json }>('/api/delegates/fee');
    expect(answer).toEqual({
      ...nodeAnswer<Json>('/api/delegates/fee'),
      delegate: contractDelegate(delegates.find(({ username }) => username === answer.delegate['username'])!),
    });
  });

  const withoutForged = ({ totalForged: _, ...block }: Json): Json => block;

  it('every block is the same, without totalForged', async () => {
    const paths = pathsLike(/^\/api\/blocks\/get\?id=\d{10,}$/).filter((path) => !path.includes('=0'));
    expect(paths).toHaveLength(head);
    for (const path of paths) {
      const { block } = nodeAnswer<{ block: Json }>(path);
      expect(await served.get(path)).toEqual({ success: true, block: withoutForged(block) });
    }
  });

  it('every page of blocks is the same', async () => {
    const paths = pathsLike(/^\/api\/blocks(\?(limit=\d+)?(&?offset=\d+)?)?$/);
    expect(paths.length).toBeGreaterThanOrEqual(9);
    for (const path of paths) {
      const { blocks } = nodeAnswer<{ blocks: Json[] }>(path);
      const answer = await served.get(path);
      if (/limit=0+(&|$)/.test(path)) expect(answer).toMatchObject({ success: false });
      else
        expect({ path, answer }).toEqual({
          path,
          answer: { success: true, blocks: blocks.map(withoutForged) },
        });
    }
  });

  it('the list of delegates, sorted by key, is the same, with the delegate that each one votes for', async () => {
    const answer = await served.get<{ delegates: DelegateAnswer[] }>('/api/delegates?limit=100');
    expect(answer.delegates).toHaveLength(count);
    expect([...answer.delegates].sort(byPublicKey)).toEqual(
      [...delegates].sort(byPublicKey).map(contractDelegate),
    );
  });

  it('the list ordered by username is the same', async () => {
    const paths = pathsLike(/^\/api\/delegates\?orderBy=username(:|%3A)(asc|desc)&limit=\d+$/);
    expect(paths.length).toBeGreaterThanOrEqual(2);
    for (const path of paths) {
      const node = nodeAnswer<{ delegates: DelegateAnswer[] }>(path);
      expect((await served.get<{ delegates: Json[] }>(path)).delegates).toEqual(
        node.delegates.map(contractDelegate),
      );
    }
  });

  it('each delegate is the same by public key and by username', async () => {
    const paths = pathsLike(
      /^\/api\/delegates\/get\?(publicKey=0[0-9a-f]+|username=(?![0-9A-Za-z]{34,}$)[^&]+)$/,
    );
    expect(paths.length).toBeGreaterThanOrEqual(2 * count - namesLikeNumbers);
    for (const path of paths) {
      const { delegate } = nodeAnswer<{ delegate: DelegateAnswer }>(path);
      expect(await served.get(path)).toEqual({ success: true, delegates: [contractDelegate(delegate)] });
    }
  });

  it('each delegate has the same voters with the same balances', async () => {
    const paths = pathsLike(/^\/api\/delegates\/voters\?publicKey=[^&]*$/).filter(isOfDelegate);
    expect(paths).toHaveLength(count);
    for (const path of paths) {
      const expected = asOurVoters(nodeAnswer<{ accounts: VoterAnswer[] }>(path).accounts, usernames);
      const { accounts } = await served.get<{ accounts: { balance: number | bigint }[] }>(path);
      expect(withBigBalances(accounts)).toEqual(expected);
    }
  });

  it('each delegate has forged the same', async () => {
    const paths = pathsLike(/^\/api\/delegates\/forging\/getForgedByAccount\?/).filter(isOfDelegate);
    expect(paths).toHaveLength(count);
    for (const path of paths) expect(await served.get(path)).toEqual(nodeAnswer(path));
  });

  it('a search finds the same delegates with the same weights and produced blocks', async () => {
    const paths = pathsLike(/^\/api\/delegates\/search\?q=[^&]+$/).filter((path) => !/=%(00|FF)/.test(path));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const expected = nodeAnswer<{ delegates: DelegateAnswer[] }>(path).delegates.map(
        ({ username, address, publicKey, vote, producedblocks }) => ({
          username,
          address,
          publicKey,
          vote,
          producedblocks,
        }),
      );
      const found = (await served.get<{ delegates: DelegateAnswer[] }>(path)).delegates;
      const known = found.map(({ missedblocks, ...rest }) => {
        expect(typeof missedblocks).toBe('number');
        return rest;
      });
      // The node is case-sensitive: see docs/differences.md.
      if (/q=.*[A-Z]/.test(path.replaceAll(/%../g, '')))
        expect(known.length).toBeGreaterThanOrEqual(expected.length);
      else
        expect({ path, found: known.sort(byPublicKey) }).toEqual({ path, found: expected.sort(byPublicKey) });
    }
  });
});
