import { readRecording } from '@roundhouse/testing';
import type { DevnetChain } from '../chain/devnet-chain.js';
import { makeFolder, openChain } from '../devnet.harness.js';
import { serveApi, type Answer, type ServedApi } from './api.harness.js';

const HISTORY = 130;

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

describe("the devnet's API", () => {
  const folder = makeFolder();
  let chain: DevnetChain;
  let served: ServedApi;

  beforeAll(() => {
    chain = openChain(folder.path, { history: HISTORY });
    served = serveApi(chain);
  });

  afterAll(async () => {
    await served.close();
    folder.remove();
  });

  const ask = (url: string): Promise<Answer> => served.ask(url);

  describe('answers with the fields of a real Core 3.9 node', () => {
    const recorded = readRecording<Recorded>('core-3.9', 'core-api-v3.ndjson.gz');

    /** The names of all fields, except those that only some transactions or delegates have. */
    const optional = /^(data\.)?\[?\]?\.?(asset|vendorField|signSignature|generator\.username|blocks\.last)/;
    const fields = (value: unknown, path = ''): string[] => {
      if (Array.isArray(value)) return value.length > 0 ? fields(value[0], `${path}[]`) : [];
      if (typeof value !== 'object' || value === null) return [path];
      return Object.entries(value).flatMap(([name, part]) => fields(part, path ? `${path}.${name}` : name));
    };
    const required = (value: unknown): string[] =>
      fields(value)
        .filter((path) => !optional.test(path.replace(/^data(\[\])?\./, '')))
        .sort();

    it.each([
      '/api/node/status',
      '/api/node/syncing',
      '/api/blockchain',
      '/api/peers',
      '/api/blocks/1',
      '/api/blocks?height=1,2,3',
      '/api/blocks?orderBy=height:asc&transform=false&page=1&limit=100',
      '/api/transactions?type=3&limit=5',
      '/api/delegates?page=1&limit=100',
      '/api/wallets/AU63tzLEWDFpctjNV7WsU3jtQJ2endNk5o',
    ])('%s', async (path) => {
      const real = recorded.find((each) => each.path === path && each.status === 200)!;
      const voter = [...chain.state.ledger.accounts.values()].find(
        ({ vote, publicKey, address }) =>
          vote !== null &&
          !chain.state.ledger.delegates.has(publicKey ?? '') &&
          !chain.state.accountOf(address).secondPublicKey,
      )!;
      const { status, body } = await ask(path.replace('AU63tzLEWDFpctjNV7WsU3jtQJ2endNk5o', voter.address));
      expect(status).toBe(200);
      expect(required(body)).toEqual(required(JSON.parse(real.body)));
    });

    it.each([
      '/api/blocks?bogus=1',
      '/api/transactions/abc',
      '/api/delegates/nobody',
      '/api/delegates/nobody/voters',
      '/api/wallets/nobody',
      '/api/v2/blocks',
    ])('also when it rejects %s', async (path) => {
      const real = recorded.find((each) => each.path === path && each.method === 'GET')!;
      expect(await ask(path)).toEqual({ status: real.status, body: JSON.parse(real.body) });
    });

    it('and the same links from page to page', async () => {
      for (const path of [
        '/api/blocks?orderBy=height:asc&transform=false&page=1&limit=100',
        '/api/blocks?limit=1&page=1',
      ]) {
        const real = JSON.parse(recorded.find((each) => each.path === path)!.body) as {
          meta: { next: string; self: string };
        };
        const { body } = await ask(path);
        expect(body.meta).toMatchObject({ next: real.meta.next, self: real.meta.self, previous: null });
      }
    });
  });

  it('serves the whole network configuration and the genesis block that belongs to it', async () => {
    const { body } = await ask('/api/node/configuration/crypto');
    const { network, milestones, genesisBlock } = body.data;
    expect(network).toEqual(chain.network.network);
    expect(milestones[0]).toMatchObject({ activeDelegates: 51, blocktime: 2, epoch: chain.timing.epoch });
    expect(milestones[1]).toMatchObject({ height: 2, aip11: true });
    expect(genesisBlock).toMatchObject({
      id: chain.log.read(1).id,
      payloadHash: network.nethash,
      previousBlock: null,
    });
    const configuration = await ask('/api/node/configuration');
    expect(configuration.body.data.constants).toMatchObject({
      height: 75,
      reward: 200_000_000,
      blocktime: 2,
    });
  });

  it('knows the first and the last page, the first and the last block', async () => {
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map((page) => ask(`/api/blocks?orderBy=height:asc&limit=100&page=${page}`)),
    );
    expect(first!.body.meta).toMatchObject({ previous: null, next: expect.stringContaining('page=2') });
    expect(second!.body.meta).toMatchObject({ next: null, previous: expect.stringContaining('page=1') });
    expect(second!.body.data).toHaveLength(HISTORY - 100);
    expect(third!.body.data).toEqual([]);
    expect((await ask('/api/blocks/first')).body.data.height).toBe(1);
    expect((await ask('/api/blocks/last')).body.data.height).toBe(HISTORY);
    expect((await ask(`/api/blocks/${chain.log.read(42).id}`)).body.data.height).toBe(42);
  });

  it('returns transactions as they are in the chain', async () => {
    const { id, transactions } = chain.log.read(24);
    const { body } = await ask(`/api/blocks/${id}/transactions?transform=false`);
    expect(body.data).toEqual([...transactions].reverse());
  });

  it('pages through all transactions of the chain in either direction', async () => {
    const all = [...chain.log.blocks(1, HISTORY)].flatMap(({ transactions }) =>
      transactions.map(({ id }) => id),
    );
    for (const direction of ['asc', 'desc']) {
      const url = `/api/transactions?transform=false&orderBy=timestamp:${direction},sequence:${direction}`;
      const ids: string[] = [];
      for (let page = 1; ; page += 1) {
        const { body } = await ask(`${url}&page=${page}`);
        if (body.data.length === 0) break;
        ids.push(...body.data.map(({ id }) => id));
      }
      expect(ids).toEqual(direction === 'asc' ? all : [...all].reverse());
    }
  });

  it('tells the types of all its transactions, under the names that real nodes give them', async () => {
    const { body } = await ask('/api/transactions/types');
    const types = body.data as unknown as Record<string, Record<string, number>>;
    const told = Object.entries(types).flatMap(([group, names]) =>
      Object.values(names).map((type) => `${group}/${type}`),
    );
    const forged = [...chain.log.blocks(1, HISTORY)].flatMap(({ transactions }) =>
      transactions.map(({ typeGroup, type }) => `${typeGroup}/${type}`),
    );
    expect(told).toEqual(expect.arrayContaining([...new Set(forged)]));
    // Core 3.x has no TimelockTransfer, and the others under these names.
    const real = readRecording<Recorded>('core-2.4', 'core-api-v2.ndjson.gz').find(
      ({ path }) => path === '/api/v2/transactions/types',
    )!;
    const { TimelockTransfer: _, ...names } = (JSON.parse(real.body) as { data: Record<string, number> })
      .data;
    expect(Object.keys(types['1']!)).toEqual(expect.arrayContaining(Object.keys(names)));
  });

  it('lists the voters of a delegate, whose balances add up to its votes', async () => {
    const { body } = await ask('/api/delegates?limit=1');
    const { publicKey, votes, rank } = body.data[0]!;
    const voters = await ask(`/api/delegates/${publicKey}/voters`);
    const sum = voters.body.data.reduce(
      (total, { balance, attributes }) =>
        total + BigInt(balance) + BigInt(attributes.htlc?.lockedBalance ?? 0),
      0n,
    );
    expect(rank).toBe(1);
    expect(sum.toString()).toBe(votes);
  });

  it('closes every connection, as Core does', async () => {
    const response = await fetch(`${await served.api.listen('127.0.0.1', 0)}/api/node/status`);
    expect(response.headers.get('connection')).toBe('close');
    expect(response.headers.get('x-block-height')).toBe('130');
  });
});
