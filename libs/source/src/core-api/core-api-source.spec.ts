import { createBlockSource } from '../create-block-source.js';
import { decodeBlock } from '../decode/block.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { loadNetwork } from '../network/load-network.js';
import { recordingFile } from '@roundhouse/testing';
import { TestNode, type Answer } from '../node.harness.js';
import { CoreApiSource } from './core-api-source.js';
import { CoreNode, recordedChain, recordedFork, type RawBlock } from './core-node.harness.js';

type Line = '2.x' | '3.x';

const PATIENCE = { timeoutMs: 5000, attempts: 2, backoffMs: 1, onUnavailable: () => undefined };

/** The expected blocks 1 to 322, from each line's own recording. */
const EXPECTED = {
  '2.x': recordedChain('core-2.4').map(decodeBlock),
  '3.x': recordedChain('core-3.9').map(decodeBlock),
};
const HEAD = 322;
const LINES: readonly [Line][] = [['2.x'], ['3.x']];

/** Lists of blocks and of transactions; 2.x has searches. */
const OF_BLOCKS = /\/blocks(\/search)?\?/;
const OF_TRANSACTIONS = /\/transactions(\/search)?\?/;

const matches = (path: string, part: string | RegExp): boolean =>
  typeof part === 'string' ? path.includes(part) : part.test(path);

describe('CoreApiSource', () => {
  let node: CoreNode;
  let source: CoreApiSource;

  const open = async (line: Line, path = '', recording?: 'core-2.4'): Promise<CoreApiSource> => {
    node = new CoreNode(line, recording ?? (line === '2.x' ? 'core-2.4' : 'core-3.9'));
    await node.server.listen();
    source = new CoreApiSource(new URL(`http://${node.server.host}${path}`), PATIENCE);
    return source;
  };

  afterEach(async () => {
    await source.close();
    await node.server.close();
  });

  const change = (height: number, changed: (block: RawBlock) => RawBlock): void => {
    node.blocks = node.blocks.map((block) => (block.height === height ? changed(block) : block));
  };

  /** A page of the genesis block's transactions as the stand-in shows them. */
  const pageOfGenesis = (page: number): unknown[] => {
    const { id } = node.blocks[0]!;
    const path =
      node.line === '2.x'
        ? `/api/v2/blocks/${id}/transactions?limit=100&page=${page}`
        : `/api/transactions?blockId=${id}&transform=false&limit=100&page=${page}`;
    return (node.answer({ path, payload: undefined }).body as { data: unknown[] }).data;
  };

  const asked = (part: string | RegExp): string[] => node.server.paths.filter((path) => matches(path, part));

  describe.each(LINES)('with a node of line %s', (line) => {
    const expected = EXPECTED[line];

    it('returns every block as the node forged it, with its transactions in payload order', async () => {
      await open(line);
      expect(await source.blocks(1, HEAD)).toEqual(expected);
    });

    it.each([
      [1, 1],
      [99, 102],
      [101, 200],
      [300, 305],
    ])('returns blocks %i to %i and no others', async (from, to) => {
      await open(line);
      expect(await source.blocks(from, to)).toEqual(expected.slice(from - 1, to));
    });

    it('returns fewer blocks at the end of the chain, and requests nothing after the short page', async () => {
      await open(line);
      expect(await source.blocks(301, 450)).toEqual(expected.slice(300));
      expect(asked(OF_BLOCKS)).toHaveLength(1);
      expect(await source.blocks(HEAD + 1, HEAD + 9)).toEqual([]);
    });

    it('requests the transactions of a block page by page, until a short page', async () => {
      await open(line);
      const [genesis] = await source.blocks(1, 1);
      expect(genesis!.transactions).toHaveLength(153);
      expect(
        asked(OF_TRANSACTIONS).map((path) => new URL(path, 'http://node').searchParams.get('page')),
        // 2.4 refuses the raw form, which is asked for first.
      ).toEqual(line === '2.x' ? ['1', '1', '2'] : ['1', '2']);
    });

    it.each([
      [
        'returns the first page again and again',
        100,
        'returned 200 transactions in all at height 1, but at most 153 are',
      ],
      [
        'returns more entries than a page holds',
        153,
        'returned 153 entries in a page at height 1, but at most 100 are',
      ],
    ])('refuses a cache that %s, and names path, height and bound', async (_does, entriesOnPage, message) => {
      await open(line);
      const all = [...pageOfGenesis(1), ...pageOfGenesis(2)];
      node.intercept = ({ path }) =>
        OF_TRANSACTIONS.test(path) ? { body: { data: all.slice(0, entriesOnPage) } } : undefined;
      const error: unknown = await source.blocks(1, 1).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: 'NodeProtocolError', height: 1, source: source.name });
      expect((error as Error).message).toContain(message);
      expect((error as Error).message).toMatch(/transactions\?.*page=/);
      expect(asked(OF_TRANSACTIONS).length).toBeLessThan(3);
    });

    it('refuses a block that states more transactions than possible, before it requests them', async () => {
      await open(line);
      change(7, (block) => ({ ...block, numberOfTransactions: 2_000_000_000 }));
      await expect(source.blocks(5, 9)).rejects.toMatchObject({
        name: 'NodeProtocolError',
        height: 7,
        message: expect.stringContaining('2000000000 transactions in a block at height 7') as string,
      });
      expect(asked('/transactions')).toEqual([]);
    });

    it('returns only the first blocks of a range that has too many transactions', async () => {
      await open(line);
      for (const height of [12, 13]) change(height, (block) => ({ ...block, numberOfTransactions: 40_000 }));
      const blocks = await source.blocks(10, 14);
      expect(blocks.map(({ height }) => height)).toEqual([10, 11, 12]);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['/delegates?', () => source.delegates()],
      ['/voters?', () => source.voters(`02${'ab'.repeat(32)}`)],
    ])('refuses a list under %s that returns the same page for every page number', async (part, ask) => {
      await open(line);
      const page = Array.from({ length: 100 }, (_, index) => ({
        ...DELEGATE,
        address: `A${index}`,
        publicKey: `02${index.toString(16).padStart(64, '0')}`,
      }));
      node.intercept = ({ path }) => (path.includes(part) ? { body: { data: page } } : undefined);
      await expect(ask()).rejects.toMatchObject({
        name: 'NodeProtocolError',
        message: expect.stringContaining('2 pages, the last with nothing new') as string,
      });
      expect(asked(part)).toHaveLength(2);
    });

    it('refuses a page with more blocks than requested', async () => {
      await open(line);
      node.intercept = ({ path }) =>
        OF_BLOCKS.test(path) ? { body: { data: Array.from({ length: 101 }, () => ({})) } } : undefined;
      await expect(source.blocks(5, 60)).rejects.toMatchObject({
        height: 5,
        message: expect.stringContaining(
          '101 entries in a page at height 5, but at most 100 are possible',
        ) as string,
      });
    });

    it.each<[string, string, (page: readonly unknown[]) => readonly unknown[]]>([
      ['in a wrong order', 'block 60 instead of block 5', (page) => page.toReversed()],
      [
        'with a gap',
        'block 8 instead of block 7',
        (page) => page.filter((_, i) => i !== (line === '2.x' ? 53 : 2)),
      ],
      [
        'with a block twice',
        'block 5 instead of block 6',
        (page) => (line === '2.x' ? [...page.slice(1), page.at(-1)] : [page[0], ...page.slice(0, -1)]),
      ],
      [
        'from a height below',
        '57 blocks at height 5, but at most 56 are possible',
        (page) => [...page, page[0]],
      ],
    ])('refuses a page of blocks %s and requests nothing more', async (_, message, spoil) => {
      await open(line);
      node.intercept = (request) => {
        if (!OF_BLOCKS.test(request.path)) return undefined;
        const { data } = node.answer(request).body as { readonly data: readonly unknown[] };
        return { body: { data: spoil(data) } };
      };
      await expect(source.blocks(5, 60)).rejects.toMatchObject({
        name: 'NodeProtocolError',
        message: expect.stringContaining(`returned ${message}`) as string,
      });
      expect(asked(OF_BLOCKS)).toHaveLength(1);
      expect(asked(OF_TRANSACTIONS)).toEqual([]);
    });

    it('makes far fewer requests than there are blocks, and none whose cost grows with the height', async () => {
      await open(line);
      await source.tip();
      const before = node.server.requests.length;
      expect(await source.blocks(101, 300)).toEqual(expected.slice(100, 300));
      const made = node.server.requests.slice(before);
      // Two ranges of blocks, and a page for each hundred transactions, of which these blocks have some 600.
      expect(made.length / 200).toBeLessThan(0.06);
      for (const { path, payload } of made) {
        const query = new URL(path, 'http://node').searchParams;
        const isRange = query.has('height.from') || query.has('blockId') || payload !== undefined;
        // A page is an offset: within a range, and there among the first 500.
        expect([path, isRange, Number(query.get('page') ?? 1) <= 5]).toEqual([path, true, true]);
      }
    });

    it('requests nothing more for blocks without transactions', async () => {
      await open(line);
      const empty = expected.find(({ numberOfTransactions }) => numberOfTransactions === 0)!;
      expect(await source.blocks(empty.height, empty.height)).toEqual([empty]);
      expect(asked('/transactions')).toEqual([]);
    });

    it('returns the tip, and the id at a height', async () => {
      await open(line);
      const { height, id } = expected.at(-1)!;
      expect(await source.tip()).toEqual({ height, id });
      expect(await source.blockIdAt(77)).toBe(expected[76]!.id);
      expect(await source.blockIdAt(HEAD + 1)).toBeNull();
    });

    it('requests the id at a height in a way that bypasses the caches of the node', async () => {
      await open(line);
      const answers = new Map<string, Answer>();
      node.intercept = (request) => {
        const query = JSON.stringify([request.path, request.payload]);
        const answer = answers.get(query) ?? node.answer(request);
        answers.set(query, answer);
        return answer;
      };
      expect(await source.blockIdAt(310)).toBe(expected[309]!.id);
      change(310, (block) => ({ ...block, id: '77' }));
      // By default, 3.x caches nothing; 2.x caches each answer by its path, query and payload.
      expect(await source.blockIdAt(310)).toBe(line === '2.x' ? '77' : expected[309]!.id);
      expect(asked('/blocks/310')).toEqual([]);
    });

    it('refuses a block at another height than requested', async () => {
      await open(line);
      node.intercept = ({ path }) =>
        OF_BLOCKS.test(path) ? { body: { data: [{ id: '7', height: 9 }] } } : undefined;
      await expect(source.blockIdAt(5)).rejects.toMatchObject({
        name: 'NodeProtocolError',
        height: 5,
        message: expect.stringContaining('returned block 9 instead of block 5') as string,
      });
    });

    it.each(['', '/', '/api', '/api/', '/api/v2', '/api/v2/'])(
      'accepts an address with "%s" at the end',
      async (path) => {
        await open(line, path);
        expect(source.name).toBe(`http://${node.server.host}`);
        expect(await source.blockIdAt(5)).toBe(expected[4]!.id);
      },
    );

    it('detects the line of the node only once, trying 2.x first', async () => {
      await open(line);
      await Promise.all([source.blockIdAt(1), source.blockIdAt(2)]);
      await source.tip();
      const second = line === '2.x' ? [] : ['/api/node/status'];
      expect(asked('/node/status')).toEqual(['/api/v2/node/status', ...second]);
      expect(asked('/node/syncing')).toEqual([line === '2.x' ? '/api/v2/node/syncing' : '/api/node/syncing']);
    });

    it('keeps the digits of amounts beyond 2^53', async () => {
      await open(line);
      const { height } = expected.find(
        ({ numberOfTransactions, height }) => numberOfTransactions > 0 && height > 1,
      )!;
      change(height, (block) => ({
        ...block,
        totalAmount: '9007199254740995',
        transactions: block.transactions.map((transaction) => ({
          ...transaction,
          amount: '9007199254740993',
        })),
      }));
      const [block] = await source.blocks(height, height);
      expect(block!.totalAmount).toBe(9007199254740995n);
      expect(block!.transactions[0]!.amount).toBe(9007199254740993n);
    });

    it('names the height and the source of a malformed block or transaction', async () => {
      await open(line);
      const { height } = expected.find(
        ({ numberOfTransactions, height }) => numberOfTransactions > 0 && height > 1,
      )!;
      const wrong = { height, source: source.name, name: 'NodeProtocolError' };
      const original = node.blocks;
      change(height, (block) => ({ ...block, payloadHash: 'no hash' }));
      await expect(source.blocks(1, HEAD)).rejects.toMatchObject({
        ...wrong,
        message: expect.stringContaining(
          `${source.name} returned a block at height ${height} in an invalid form`,
        ) as string,
      });
      node.blocks = original;
      change(height, (block) => ({
        ...block,
        transactions: block.transactions.map((transaction) => ({ ...transaction, id: 7 })),
      }));
      await expect(source.blocks(1, HEAD)).rejects.toMatchObject({
        ...wrong,
        message: expect.stringContaining(
          `returned a transaction at height ${height} in an invalid form`,
        ) as string,
      });
    });

    it.each<[string | RegExp, string, () => Promise<unknown>]>([
      [OF_BLOCKS, 'blocks from height 5 on at height 5', () => source.blocks(5, 60)],
      [OF_TRANSACTIONS, 'transactions at height', () => source.blocks(5, 60)],
      ['/node/syncing', 'its newest block in an invalid form', () => source.tip()],
      [OF_BLOCKS, 'a block at height 5', () => source.blockIdAt(5)],
    ])('refuses an answer to %s that is a bare number', async (part, what, ask) => {
      await open(line);
      node.intercept = ({ path }) => (matches(path, part) ? { body: '{"data":7}' } : undefined);
      const error: unknown = await ask().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(NodeProtocolError);
      expect((error as Error).message).toContain(`${source.name} returned ${what}`);
    });

    it('returns the network, or null if the node does not know the request', async () => {
      await open(line);
      const network = await loadNetwork(recordingFile('core-3.9', 'network.json'));
      node.intercept = ({ path }) =>
        path.endsWith('/node/configuration/crypto')
          ? { body: { data: { network: NETWORK, milestones: network.milestones, exceptions: {} } } }
          : undefined;
      expect(await source.network()).toMatchObject({
        nethash: network.nethash,
        milestones: network.milestones,
      });
      node.intercept = () => undefined;
      expect(await source.network()).toBeNull();
    });

    it('refuses a network that cannot be used', async () => {
      await open(line);
      node.intercept = ({ path }) =>
        path.endsWith('/node/configuration/crypto') ? { body: { data: { network: NETWORK } } } : undefined;
      const error: unknown = await source.network().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(NodeProtocolError);
      expect((error as Error).message).toContain(`${source.name} reports a network that cannot be used`);
    });
  });

  describe.each(LINES)('while a node of line %s replaces its newest blocks', (line) => {
    const fork = recordedFork().map(decodeBlock);
    const forked = fork.find(({ height, numberOfTransactions }) => height > 300 && numberOfTransactions > 0)!;

    /** Switches to the fork at the first request whose path contains `part`. */
    const replaceAt = (part: RegExp): void => {
      node.intercept = ({ path }) => {
        if (part.test(path)) node.blocks = recordedFork();
        return undefined;
      };
    };

    it('reports that the transactions are gone, and returns the new blocks the next time', async () => {
      await open(line, '', 'core-2.4');
      replaceAt(OF_TRANSACTIONS);
      await expect(source.blocks(301, HEAD)).rejects.toMatchObject({
        kind: 'moved',
        name: 'NodeUnavailableError',
        message: expect.stringMatching(/replaced block 3\d\d while it was read/) as string,
      });
      expect(await source.blocks(301, HEAD)).toEqual(fork.slice(300, HEAD));
    });

    it('reads again if parts do not match although the block is still there', async () => {
      await open(line, '', 'core-2.4');
      node.blocks = recordedFork();
      let isBehind = true;
      node.intercept = ({ path }) => {
        if (!isBehind || !OF_TRANSACTIONS.test(path)) return undefined;
        isBehind = false;
        return { body: { data: [] } };
      };
      expect(await source.blocks(forked.height, forked.height)).toEqual([forked]);
    });

    it('returns parts that never match, and the checks refuse them', async () => {
      await open(line, '', 'core-2.4');
      node.intercept = ({ path }) => (OF_TRANSACTIONS.test(path) ? { body: { data: [] } } : undefined);
      const checked = await createBlockSource({
        urls: source.name,
        network: await loadNetwork(recordingFile('core-2.4', 'network.json')),
        ...PATIENCE,
      });
      const height = EXPECTED['2.x'].find(
        (block) => block.numberOfTransactions > 0 && block.height > 1,
      )!.height;
      await expect(checked.blocks(height, height)).rejects.toMatchObject({
        name: 'NodeProtocolError',
        height,
      });
      await checked.close();
    });
  });

  it('reports that the node moved if two pages of blocks are from two branches', async () => {
    await open('3.x', '', 'core-2.4');
    node.intercept = ({ path }) => {
      if (path.includes('height.from=310')) node.blocks = recordedFork();
      return undefined;
    };
    await expect(source.blocks(210, HEAD)).rejects.toMatchObject({ kind: 'moved' });
  });

  it('sorts the transactions of a block by their sequence, however they are listed', async () => {
    await open('3.x');
    node.intercept = ({ path }) => {
      if (!OF_TRANSACTIONS.test(path)) return undefined;
      const { height } = FULL;
      const block = node.blocks[height - 1]!;
      const listed = block.transactions.map((transaction, sequence) => ({
        ...transaction,
        blockId: block.id,
        sequence,
      }));
      const page = Number(new URL(path, 'http://node').searchParams.get('page'));
      return { body: { data: listed.reverse().slice(100 * (page - 1), 100 * page) } };
    };
    expect(await source.blocks(FULL.height, FULL.height)).toEqual([FULL]);
  });

  it.each<[string, (found: unknown[]) => unknown[]]>([
    ['nothing', () => []],
    ['them in another order', (found) => found.toReversed()],
    ['only some', (found) => found.slice(1)],
  ])('requests the transactions of each block from 2.x if its search returns %s', async (_, change) => {
    await open('2.x');
    node.intercept = (request) => {
      if (!request.path.includes('/transactions/search?')) return undefined;
      const answer = node.answer(request);
      // It refuses the raw form.
      if (answer.status !== 200) return answer;
      return { body: { data: change((answer.body as { readonly data: unknown[] }).data) } };
    };
    expect(await source.blocks(2, 40)).toEqual(EXPECTED['2.x'].slice(1, 40));
  });

  it('makes one request more if 2.x no longer has the blocks that it listed', async () => {
    await open('2.x', '', 'core-2.4');
    node.intercept = ({ path }) => {
      if (path.includes('/transactions/search?')) node.blocks = recordedFork();
      return undefined;
    };
    await expect(source.blocks(301, HEAD)).rejects.toMatchObject({ kind: 'moved' });
    expect(asked(/\/blocks\/\d+\/transactions/)).toHaveLength(1);
  });

  it('requests the transactions of many blocks at once from 3.x, but not of too many', async () => {
    await open('3.x');
    await source.blocks(2, HEAD);
    const queries = asked(OF_TRANSACTIONS).map((path) => new URL(path, 'http://node').searchParams);
    const groups = queries
      .filter((query) => query.get('page') === '1')
      .map((query) => query.get('blockId')!.split(','));
    const withTransactions = EXPECTED['3.x'].slice(1).filter((block) => block.numberOfTransactions > 0);
    expect(groups.flat()).toEqual(withTransactions.map(({ id }) => id));
    expect(groups.length).toBeLessThan(10);
  });

  it('detects the line again when the node has changed it', async () => {
    await open('2.x');
    await source.tip();
    const upgraded = new CoreNode('3.x', 'core-3.9');
    node.intercept = (request) => upgraded.answer(request);
    await expect(source.tip()).rejects.toThrow('has no /api/v2/node/syncing');
    expect(await source.tip()).toEqual({ height: HEAD, id: EXPECTED['3.x'].at(-1)!.id });
    expect(node.server.paths.at(-1)).toBe('/api/node/syncing');
  });

  it('says what to do if neither line answers', async () => {
    await open('3.x');
    node.intercept = () => ({ status: 404, body: 'nothing here' });
    await expect(source.tip()).rejects.toThrow(
      `${source.name} has no /api/node/status: check that BLOCK_SOURCE is the public API of a Core node of line 2.x or 3.x.`,
    );
  });

  it('reports that a node with the types of another chain cannot be indexed, and none of ARK', async () => {
    for (const line of ['2.x', '3.x'] as const) {
      await open(line);
      expect(await source.chainProblem()).toBeNull();
      node.types = { '1': { LegacyTransfer: 0, LegacyVote: 3 }, '2': { Burn: 0, Vote: 2 } };
      expect(await source.chainProblem()).toMatch(
        /^has types of transactions .*LegacyVote \(type 3 of type group 1\), .*Vote \(type 2 of type group 2\)\. .* cannot be indexed/,
      );
      if (line === '2.x') await Promise.all([source.close(), node.server.close()]);
    }
  });

  it('names all rules of a network that cannot be indexed, and does not advise to set NETWORK', async () => {
    await open('3.x');
    const milestones = [{ height: 1, blockTime: 8, dynamicReward: {} }];
    node.intercept = ({ path }) =>
      path.endsWith('/crypto') ? { body: { data: { network: NETWORK, milestones } } } : undefined;
    await expect(source.network()).rejects.toThrow(
      /^http:\/\/127.0.0.1:\d+ reports a network that cannot be used: It has rules .*blockTime .*dynamicReward .*those that can\.$/,
    );
  });

  it('detects the line again after a failure', async () => {
    await open('3.x');
    node.intercept = () => ({ status: 503 });
    await expect(source.tip()).rejects.toMatchObject({ kind: 'http-5xx' });
    node.intercept = () => undefined;
    expect(await source.tip()).toMatchObject({ height: HEAD });
  });

  it('keeps the part of the path before /api', async () => {
    await open('3.x');
    const seen = await new TestNode(() => ({ status: 404 })).listen();
    const behind = new CoreApiSource(new URL(`http://${seen.host}/ark/api/`), PATIENCE);
    await expect(behind.tip()).rejects.toThrow();
    expect(behind.name).toBe(`http://${seen.host}/ark`);
    expect(seen.paths).toEqual(['/ark/api/v2/node/status', '/ark/api/node/status']);
    await behind.close();
    await seen.close();
  });
});

const FULL = EXPECTED['3.x'].find(
  ({ height, numberOfTransactions }) => height > 1 && numberOfTransactions === 150,
)!;

/** The fields that all delegates, and all voters, of a test's page share. */
const DELEGATE = {
  username: 'delegate',
  votes: '1',
  balance: '1',
  blocks: { produced: 1 },
  forged: { fees: '1', rewards: '1' },
};

const NETWORK = {
  name: 'testnet',
  nethash: EXPECTED['3.x'][0]!.payloadHash,
  pubKeyHash: 23,
  client: { token: 'TARK', symbol: 'TѦ', explorer: 'http://explorer.invalid' },
};
