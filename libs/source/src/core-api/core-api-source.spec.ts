import { decodeBlock } from '@roundhouse/blocks';
import { createBlockSource } from '../create-block-source.js';
import { loadNetwork } from '../network/load-network.js';
import { recordedConfiguration, recordingFile } from '@roundhouse/testing';
import { TestNode, type Answer } from '../node.harness.js';
import { refusal } from '../refusal.harness.js';
import { CoreApiSource } from './core-api-source.js';
import { CoreNode, matches, recordedChain, recordedFork, type RawBlock } from './core-node.harness.js';

type Line = '2.x' | '3.x';

const PATIENCE = { timeoutMs: 5000, attempts: 2, backoffMs: 1, onUnavailable: () => undefined };

/** The expected blocks 1 to 322, from each line's own recording. */
const EXPECTED = {
  '2.x': recordedChain('core-2.4').map(decodeBlock),
  '3.x': recordedChain('core-3.9').map(decodeBlock),
};
const HEAD = 322;
const LINES: readonly Line[] = ['2.x', '3.x'];

/** Lists of blocks and of transactions; 2.x has searches. */
const OF_BLOCKS = /\/blocks(\/search)?\?/;
const OF_TRANSACTIONS = /\/transactions(\/search)?\?/;

const CRYPTO = '/node/configuration/crypto';
const CONFIGURATION = recordedConfiguration('core-3.9');

const hasTransactions = (block: { height: number; numberOfTransactions: number }): boolean =>
  block.height > 1 && block.numberOfTransactions > 0;

const queryOf = (path: string): URLSearchParams => new URL(path, 'http://node').searchParams;
describe('CoreApiSource', () => {
  let node: CoreNode;
  let source: CoreApiSource;

  const open = async (line: Line, path = '', recording?: 'core-2.4'): Promise<CoreApiSource> => {
    node = new CoreNode(line, recording ?? (line === '2.x' ? 'core-2.4' : 'core-3.9'));
    await node.server.listen();
    source = new CoreApiSource(new URL(`http://${node.server.host}${path}`), PATIENCE);
    return source;
  };

  const close = async (): Promise<void> => {
    await source.close();
    await node.server.close();
  };

  afterEach(close);

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

  /** Switches to the recorded fork at the first request whose path contains or matches `part`. */
  const replaceAt = (part: string | RegExp): void => {
    node.intercept = ({ path }) => {
      if (matches(path, part)) node.blocks = recordedFork();
      return undefined;
    };
  };

  /** Changes what the node shows in each list that `part` matches. */
  const spoil = (part: RegExp, change: (data: readonly unknown[]) => unknown): void => {
    node.intercept = (request) => {
      if (!part.test(request.path)) return undefined;
      const answer = node.answer(request);
      // 2.4 refuses the raw form.
      if (answer.status !== 200) return answer;
      return { body: { data: change((answer.body as { readonly data: readonly unknown[] }).data) } };
    };
  };

  describe.each(LINES)('with a node of line %s', (line) => {
    const expected = EXPECTED[line];
    const busy = expected.find(hasTransactions)!;

    beforeEach(() => open(line));

    it.each([
      [1, HEAD],
      [1, 1],
      [99, 102],
    ])('returns blocks %i to %i as the node forged them, and no others', async (from, to) => {
      expect(await source.blocks(from, to)).toEqual(expected.slice(from - 1, to));
    });

    it('returns fewer blocks at the end of the chain, and requests nothing after the short page', async () => {
      expect(await source.blocks(301, 450)).toEqual(expected.slice(300));
      expect(asked(OF_BLOCKS)).toHaveLength(1);
      expect(await source.blocks(HEAD + 1, HEAD + 9)).toEqual([]);
    });

    it('requests the transactions of a block page by page, until a short page', async () => {
      const [genesis] = await source.blocks(1, 1);
      expect(genesis!.transactions).toHaveLength(153);
      // 2.4 refuses the raw form, which is asked for first.
      const pages = line === '2.x' ? ['1', '1', '2'] : ['1', '2'];
      expect(asked(OF_TRANSACTIONS).map((path) => queryOf(path).get('page'))).toEqual(pages);
    });

    it.each([
      ['returns the first page again and again', 100, '200 transactions in all at height 1, but at most 153'],
      ['returns more entries than a page holds', 153, '153 entries in a page at height 1, but at most 100'],
    ])('refuses a cache that %s, and names path, height and bound', async (_does, entriesOnPage, message) => {
      node.show(OF_TRANSACTIONS, [...pageOfGenesis(1), ...pageOfGenesis(2)].slice(0, entriesOnPage));
      const wrong = refusal(new RegExp(`returned ${message} .*transactions\\?.*page=`), { height: 1 });
      await expect(source.blocks(1, 1)).rejects.toMatchObject({ ...wrong, source: source.name });
      expect(asked(OF_TRANSACTIONS).length).toBeLessThan(3);
    });

    it('refuses a block that states more transactions than possible, before it requests them', async () => {
      change(7, (block) => ({ ...block, numberOfTransactions: 2_000_000_000 }));
      const wrong = refusal('2000000000 transactions in a block at height 7', { height: 7 });
      await expect(source.blocks(5, 9)).rejects.toMatchObject(wrong);
      expect(asked('/transactions')).toEqual([]);
    });

    it('returns only the first blocks of a range that has too many transactions', async () => {
      for (const height of [12, 13]) change(height, (block) => ({ ...block, numberOfTransactions: 40_000 }));
      const blocks = await source.blocks(10, 14);
      expect(blocks.map(({ height }) => height)).toEqual([10, 11, 12]);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['/delegates?', () => source.delegates()],
      ['/voters?', () => source.voters(`02${'ab'.repeat(32)}`)],
    ])('refuses a list under %s that returns the same page for every page number', async (part, ask) => {
      const page = Array.from({ length: 100 }, (_, index) => ({
        username: 'delegate',
        votes: '1',
        balance: '1',
        blocks: { produced: 1 },
        forged: { fees: '1', rewards: '1' },
        address: `A${index}`,
        publicKey: `02${index.toString(16).padStart(64, '0')}`,
      }));
      node.show(part, page);
      await expect(ask()).rejects.toMatchObject(refusal('2 pages, the last with nothing new'));
      expect(asked(part)).toHaveLength(2);
    });

    /** From block 5 on, in the order of 3.x. */
    const spoilt: [string, string, (page: readonly unknown[]) => readonly unknown[]][] = [
      ['in a wrong order', 'block 60 instead of block 5', (page) => page.toReversed()],
      ['with a gap', 'block 8 instead of block 7', (page) => page.toSpliced(2, 1)],
      ['with a block twice', 'block 5 instead of block 6', (page) => [page[0], ...page.slice(0, -1)]],
      ['from a height below', '57 blocks at height 5, but at most 56', (page) => [page[0], ...page]],
      [
        'longer than any',
        '101 entries in a page at height 5, but at most 100',
        () => Array.from({ length: 101 }),
      ],
    ];

    it.each(spoilt)('refuses a page of blocks %s and requests nothing more', async (_, message, change) => {
      const inOrder = (page: readonly unknown[]) => (line === '2.x' ? page.toReversed() : page);
      spoil(OF_BLOCKS, (page) => inOrder(change(inOrder(page))));
      const wrong = refusal(`returned ${message}`);
      await expect(source.blocks(5, 60)).rejects.toMatchObject(wrong);
      expect(asked(OF_BLOCKS)).toHaveLength(1);
      expect(asked(OF_TRANSACTIONS)).toEqual([]);
    });

    it('makes far fewer requests than there are blocks, and none whose cost grows with the height', async () => {
      await source.tip();
      const before = node.server.requests.length;
      expect(await source.blocks(101, 300)).toEqual(expected.slice(100, 300));
      const made = node.server.requests.slice(before);
      // Two ranges of blocks, and a page for each hundred transactions, of which these blocks have some 600.
      expect(made.length / 200).toBeLessThan(0.06);
      for (const { path, payload } of made) {
        const query = queryOf(path);
        const isRange = query.has('height.from') || query.has('blockId') || payload !== undefined;
        // A page is an offset: within a range, and there among the first 500.
        expect([path, isRange, Number(query.get('page') ?? 1) <= 5]).toEqual([path, true, true]);
      }
    });

    it('requests nothing more for blocks without transactions', async () => {
      const empty = expected.find(({ numberOfTransactions }) => numberOfTransactions === 0)!;
      expect(await source.blocks(empty.height, empty.height)).toEqual([empty]);
      expect(asked('/transactions')).toEqual([]);
    });

    it('returns the tip, and the id at a height', async () => {
      const { height, id } = expected.at(-1)!;
      expect(await source.tip()).toEqual({ height, id });
      expect(await source.blockIdAt(77)).toBe(expected[76]!.id);
      expect(await source.blockIdAt(HEAD + 1)).toBeNull();
    });

    it('requests the id at a height in a way that bypasses the caches of the node', async () => {
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
      spoil(OF_BLOCKS, (data) => data.map((block) => ({ ...(block as RawBlock), height: 9 })));
      const wrong = refusal('returned block 9 instead of block 5', { height: 5 });
      await expect(source.blockIdAt(5)).rejects.toMatchObject(wrong);
    });

    it('detects the line of the node only once, trying 2.x first', async () => {
      await Promise.all([source.blockIdAt(1), source.blockIdAt(2)]);
      await source.tip();
      const second = line === '2.x' ? [] : ['/api/node/status'];
      expect(asked('/node/status')).toEqual(['/api/v2/node/status', ...second]);
      expect(asked('/node/syncing')).toEqual([line === '2.x' ? '/api/v2/node/syncing' : '/api/node/syncing']);
    });

    it('keeps the digits of amounts beyond 2^53', async () => {
      change(busy.height, (block) => ({
        ...block,
        totalAmount: '9007199254740995',
        transactions: block.transactions.map((each) => ({ ...each, amount: '9007199254740993' })),
      }));
      const [block] = await source.blocks(busy.height, busy.height);
      expect(block!.totalAmount).toBe(9007199254740995n);
      expect(block!.transactions[0]!.amount).toBe(9007199254740993n);
    });

    it('names the height and the source of a malformed block or transaction', async () => {
      const { height } = busy;
      const wrong = { height, source: source.name };
      const field = line === '2.x' ? 'payload.hash' : 'payloadHash';
      const original = node.blocks;
      change(height, (block) => ({ ...block, payloadHash: 'no hash' }));
      await expect(source.blocks(1, HEAD)).rejects.toMatchObject(
        refusal(`${source.name} returned a block at height ${height} in an invalid form: "${field}"`, wrong),
      );
      node.blocks = original;
      change(height, (block) => ({
        ...block,
        transactions: block.transactions.map((each) => ({ ...each, id: 7 })),
      }));
      await expect(source.blocks(1, HEAD)).rejects.toMatchObject(
        refusal(`returned a transaction at height ${height} in an invalid form`, wrong),
      );
    });

    it.each<[string | RegExp, string, () => Promise<unknown>]>([
      [OF_BLOCKS, 'blocks from height 5 on at height 5', () => source.blocks(5, 60)],
      [OF_TRANSACTIONS, 'transactions at height', () => source.blocks(5, 60)],
      ['/node/syncing', 'its newest block in an invalid form', () => source.tip()],
      [OF_BLOCKS, 'blocks from height 5 on at height 5', () => source.blockIdAt(5)],
    ])('refuses an answer to %s that is a bare number', async (part, what, ask) => {
      node.show(part, 7);
      await expect(ask()).rejects.toMatchObject(refusal(`${source.name} returned ${what}`));
    });

    it('returns the network, or null if the node does not know the request, and refuses an unusable one', async () => {
      expect(await source.network()).toBeNull();
      node.show(CRYPTO, CONFIGURATION);
      expect(await source.network()).toEqual(await loadNetwork(recordingFile('core-3.9', 'network.json')));
      node.show(CRYPTO, { ...CONFIGURATION, milestones: [{ height: 1, blockTime: 8, dynamicReward: {} }] });
      // It does not advise to set NETWORK.
      const rules = 'It has rules .*blockTime .*dynamicReward .*those that can\\.$';
      const wrong = refusal(new RegExp(`^${source.name} reports a network that cannot be used: ${rules}`));
      await expect(source.network()).rejects.toMatchObject(wrong);
    });
  });

  it.each(['', '/', '/api', '/api/', '/api/v2', '/api/v2/'])(
    'accepts an address with "%s" at the end',
    async (path) => {
      for (const line of LINES) {
        await open(line, path);
        expect(source.name).toBe(`http://${node.server.host}`);
        expect(await source.blockIdAt(5)).toBe(EXPECTED[line][4]!.id);
        if (line === '2.x') await close();
      }
    },
  );

  describe.each(LINES)('while a node of line %s replaces its newest blocks', (line) => {
    const fork = recordedFork().map(decodeBlock);
    const forked = fork.find((block) => block.height > 300 && hasTransactions(block))!;

    beforeEach(() => open(line, '', 'core-2.4'));

    it('reports that the transactions are gone, and returns the new blocks the next time', async () => {
      replaceAt(OF_TRANSACTIONS);
      const moved = { name: 'NodeUnavailableError', kind: 'moved' };
      const wrong = refusal(/replaced block 3\d\d while it was read/, moved);
      await expect(source.blocks(301, HEAD)).rejects.toMatchObject(wrong);
      expect(await source.blocks(301, HEAD)).toEqual(fork.slice(300, HEAD));
    });

    it('reads again if parts do not match although the block is still there', async () => {
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
      node.show(OF_TRANSACTIONS, []);
      const network = await loadNetwork(recordingFile('core-2.4', 'network.json'));
      const checked = await createBlockSource({ urls: source.name, network, ...PATIENCE });
      const { height } = EXPECTED['2.x'].find(hasTransactions)!;
      const wrong = refusal('', { height });
      await expect(checked.blocks(height, height)).rejects.toMatchObject(wrong);
      await checked.close();
    });
  });

  it('reports that the node moved if two pages of blocks are from two branches', async () => {
    await open('3.x', '', 'core-2.4');
    replaceAt('height.from=310');
    await expect(source.blocks(210, HEAD)).rejects.toMatchObject({ kind: 'moved' });
  });

  it('sorts the transactions of a block by their sequence, however they are listed', async () => {
    await open('3.x');
    const { height } = FULL;
    const { id, transactions } = node.blocks[height - 1]!;
    const listed = transactions.map((transaction, sequence) => ({ ...transaction, blockId: id, sequence }));
    listed.reverse();
    node.intercept = ({ path }) => {
      const end = 100 * Number(queryOf(path).get('page'));
      return OF_TRANSACTIONS.test(path) ? { body: { data: listed.slice(end - 100, end) } } : undefined;
    };
    expect(await source.blocks(height, height)).toEqual([FULL]);
  });

  it.each<[string, (found: readonly unknown[]) => unknown[]]>([
    ['nothing', () => []],
    ['them in another order', (found) => found.toReversed()],
    ['only some', (found) => found.slice(1)],
  ])('requests the transactions of each block from 2.x if its search returns %s', async (_, change) => {
    await open('2.x');
    spoil(/\/transactions\/search\?/, change);
    expect(await source.blocks(2, 40)).toEqual(EXPECTED['2.x'].slice(1, 40));
  });

  it('makes one request more if 2.x no longer has the blocks that it listed', async () => {
    await open('2.x', '', 'core-2.4');
    replaceAt('/transactions/search?');
    await expect(source.blocks(301, HEAD)).rejects.toMatchObject({ kind: 'moved' });
    expect(asked(/\/blocks\/\d+\/transactions/)).toHaveLength(1);
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
      if (line === '2.x') await close();
    }
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
