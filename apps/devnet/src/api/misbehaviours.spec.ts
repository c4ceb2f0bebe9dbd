import { computeBlockId, isBlockSigned } from '@roundhouse/blocks';
import { ALL_LIES } from '@roundhouse/forging';
import { createBlockSource, type BlockSource } from '@roundhouse/source';
import type { DevnetChain } from '../chain/devnet-chain.js';
import { toBlock, type RawBlock } from '../chain/raw-block.js';
import { makeFolder, openChain } from '../devnet.harness.js';
import { serveApi, type ServedApi } from './api.harness.js';

const HISTORY = 40;
/** More than the length of any answer. */
const ENDLESS_BYTES = 20_000_000;

interface Header {
  readonly height: number;
  readonly id: string;
  readonly previousBlock: string;
}

type Transaction = Readonly<Record<string, unknown>>;

/** Reads a misbehaving devnet with a source of the indexer, over a real port. */
describe('a devnet that misbehaves on request', () => {
  let folder: ReturnType<typeof makeFolder>;
  let chain: DevnetChain;
  let served: ServedApi;
  let url: string;
  let source: BlockSource;

  beforeAll(async () => {
    folder = makeFolder();
    chain = openChain(folder.path, { history: HISTORY });
    served = serveApi(chain, true);
    url = await served.api.listen('127.0.0.1', 0);
    source = await createBlockSource({ urls: url, verify: 'full', attempts: 1 });
    // The source learns the network and the version of Core before the misbehaviour, like a process that has run for
    // a while.
    await source.blocks(1, 2);
  });

  afterEach(() => served.ask('/devnet/behave', 'POST'));

  afterAll(async () => {
    await source.close();
    await served.close();
    folder.remove();
  });

  const order = async (body: object): Promise<void> => {
    const { status } = await served.ask('/devnet/misbehave', 'POST', body);
    expect(status).toBe(200);
  };

  /** The page of blocks that the source requests. */
  const heights = async (): Promise<number[]> => {
    const { body } = await served.ask(
      '/api/blocks?height.from=11&height.to=15&orderBy=height:asc&transform=false',
    );
    return body.data.map(({ height }) => height);
  };

  it.each([
    ['down', { kind: 'down' }, 'unreachable'],
    ['hanging', { kind: 'hanging' }, 'timeout'],
    ['slow', { kind: 'slow', delayMs: 30_000 }, 'timeout'],
    ['failing', { kind: 'failing', status: 500 }, 'http-5xx'],
    ['rejecting too many requests', { kind: 'failing', status: 429, retryAfter: 1 }, 'rate-limited'],
    ['cutting off its answers', { kind: 'cut-off' }, 'unreachable'],
  ])('is unavailable while it is %s, and usable afterwards', async (_name, body, kind) => {
    await order(body);
    const impatient = await createBlockSource({
      urls: url,
      attempts: 1,
      timeoutMs: kind === 'timeout' ? 500 : 60_000,
    });
    await expect(impatient.tip()).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE', kind });
    await impatient.close();
    await served.ask('/devnet/behave', 'POST');
    expect(await source.tip()).toEqual({ height: HISTORY, id: chain.head.id });
  });

  it.each([
    ['truncated', 'invalid JSON'],
    ['invalid-json', 'invalid JSON'],
    ['gap', 'height'],
    ['wrong-order', 'height'],
    ['wrong-id', 'its id is'],
    ['wrong-payload-hash', 'its payloadHash is'],
    ['wrong-signature', 'its blockSignature is not by its generator'],
  ])('serves a block that the source rejects: %s', async (kind, problem) => {
    await order({ kind });
    const refused = await source.blocks(31, HISTORY).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'NODE_PROTOCOL', message: expect.stringContaining(problem) });
    await served.ask('/devnet/behave', 'POST');
    expect(await source.blocks(31, HISTORY)).toHaveLength(10);
  });

  it('misbehaves as often as requested', async () => {
    await order({ kind: 'gap', count: 1 });
    expect(await heights()).toEqual([11, 12, 14, 15]);
    expect(await heights()).toEqual([11, 12, 13, 14, 15]);
    await order({ kind: 'wrong-order', count: 1 });
    expect(await heights()).toEqual([15, 14, 13, 12, 11]);
    expect(await heights()).toEqual([11, 12, 13, 14, 15]);
  });

  it('shows the blocks of another network instead of its own', async () => {
    await order({ kind: 'other-network' });
    expect((await served.ask('/api/blocks/1')).body.data.id).not.toBe(chain.log.read(1).id);
    const stranger = await createBlockSource({ urls: url });
    expect((await stranger.network())?.nethash).not.toBe(chain.network.network.nethash);
    await stranger.close();
  });

  it('stays behind', async () => {
    await order({ kind: 'behind', depth: 5 });
    await served.ask('/devnet/forge', 'POST', { count: 2 });
    expect(await source.tip()).toEqual({ height: HISTORY - 5, id: chain.log.read(HISTORY - 5).id });
    expect(await source.blockAt(HISTORY)).toBeNull();
    // Return to the height that the other tests expect.
    chain.fork(3, 1);
  });

  it('goes backwards', async () => {
    await order({ kind: 'backwards', depth: 9 });
    const seen: number[] = [];
    for (let request = 0; request < 14; request += 1) seen.push((await source.tip()).height);
    expect(seen).toEqual([37, 37, 37, 37, 34, 34, 34, 34, 31, 31, 31, 31, 31, 31]);
  });

  it('shows two branches in turn, and shows the tester both', async () => {
    await order({ kind: 'forks-in-turn', depth: 3, each: 2 });
    const ids: string[] = [];
    for (let request = 0; request < 6; request += 1) ids.push((await source.tip()).id);
    expect(ids).toEqual([ids[0], ids[0], chain.head.id, chain.head.id, ids[0], ids[0]]);
    expect(ids[0]).not.toBe(chain.head.id);
    const { body } = await served.ask(`/devnet/blocks?from=${HISTORY - 3}`);
    const { own, other } = body.data as unknown as { own: Header[]; other: Header[] };
    expect(own.map(({ height }) => height)).toEqual([37, 38, 39, 40]);
    expect(other[0]).toEqual(own[0]);
    expect(other.at(-1)?.id).toBe(ids[0]);
    expect(other[1]?.previousBlock).toBe(own[0]?.id);
  });

  it('claims a larger height than it has', async () => {
    await order({ kind: 'boasting', by: 1_000_000 });
    const tip = { height: HISTORY + 1_000_000, id: chain.head.id };
    expect(await source.tip()).toEqual(tip);
    expect((await served.ask('/api/blockchain')).body.data).toMatchObject({ block: tip });
    expect((await served.ask('/api/node/status')).body.data).toMatchObject({ now: tip.height });
    expect(await heights()).toEqual([11, 12, 13, 14, 15]);
    await order({ kind: 'boasting', by: 1_000, serves: false });
    expect(await source.tip()).toMatchObject({ height: HISTORY + 1_000 });
    expect(await heights()).toEqual([]);
  });

  it('reports wrong ids for its tip and its newest blocks', async () => {
    await order({ kind: 'lying-ids', depth: 3 });
    const idAt = async (height: number): Promise<string> =>
      (await served.ask(`/api/blocks/${height}?transform=false`)).body.data.id;
    expect((await source.tip()).id).not.toBe(chain.head.id);
    expect((await served.ask('/api/blockchain')).body.data).not.toMatchObject({
      block: { id: chain.head.id },
    });
    expect(await idAt(HISTORY - 2)).not.toBe(chain.log.read(HISTORY - 2).id);
    expect(await idAt(HISTORY - 3)).toBe(chain.log.read(HISTORY - 3).id);
    expect((await source.blocks(HISTORY, HISTORY))[0]!.id).toBe(chain.head.id);
  });

  describe('that lies about its transfers', () => {
    const shown = async (): Promise<Transaction[]> => {
      const blocks = [...chain.log.blocks(2, HISTORY)].map(({ id }) => id).join(',');
      const { body } = await served.ask(`/api/transactions?blockId=${blocks}&transform=false&limit=100`);
      return body.data as unknown as Transaction[];
    };

    it.each([
      ['recipient', 'recipientId'],
      ['amount', 'amount'],
      ['type', 'type'],
      ['username', 'asset'],
      ['lock', 'asset'],
      ['payments', 'asset'],
      ['nul-recipient', 'recipientId'],
      ['nul-username', 'asset'],
    ])('changes %s under the right id', async (changes, field) => {
      const right = await shown();
      await order({ kind: 'lying-contents', changes });
      const lied = await shown();
      expect(lied.map(({ id, fee, sequence }) => ({ id, fee, sequence }))).toEqual(
        right.map(({ id, fee, sequence }) => ({ id, fee, sequence })),
      );
      const isChanged = ({ [field]: value }: Transaction, index: number): boolean =>
        JSON.stringify(value) !== JSON.stringify(right[index]![field]);
      const isTransfer = ({ type, typeGroup }: Transaction): boolean => type === 0 && typeGroup === 1;
      expect(lied.map(isChanged)).toEqual(right.map(isTransfer));
      expect(lied.some(isChanged)).toBe(true);
    });
  });

  it.each([
    ['stranger', 'generatorPublicKey'],
    ['forger', 'generatorPublicKey'],
    ['reward', 'reward'],
    ['version', 'version'],
  ] as const)(
    'forges an invalid block (%s) whose id and signature match its contents',
    async (breach, field) => {
      await order({ kind: 'unlawful', breach });
      const { body } = await served.ask(`/api/blocks/${HISTORY}?transform=false`);
      const raw = { ...(body.data as unknown as RawBlock), transactions: chain.head.transactions };
      const block = toBlock(raw);
      expect(raw[field]).not.toBe(chain.head[field]);
      expect(block.id).toBe(computeBlockId(block, false));
      expect(isBlockSigned(block)).toBe(true);
    },
  );

  it.each(Object.keys(ALL_LIES))(
    'tells %s in a block whose id and signature match its contents',
    async (lie) => {
      await order({ kind: 'unlawful', breach: lie });
      const { body } = await served.ask(`/api/blocks/${HISTORY}?transform=false`);
      const block = toBlock({ ...(body.data as unknown as RawBlock), transactions: [] });
      expect(block.id).not.toBe(chain.head.id);
      expect(block.id).toBe(computeBlockId(block, false));
      expect(isBlockSigned(block)).toBe(true);
    },
  );

  it('lists the block of a lie that an index may accept as one of the other branch', async () => {
    const others = async (lie: string): Promise<unknown> => {
      await order({ kind: 'unlawful', breach: lie });
      const { body } = await served.ask(`/devnet/blocks?from=${HISTORY}`);
      return (body.data as unknown as { other: unknown }).other;
    };
    expect(await others('overspends')).toEqual([]);
    expect(await others('mid-slot')).toEqual([expect.objectContaining({ height: HISTORY })]);
  });

  it('fills every requested page', async () => {
    await order({ kind: 'endless-pages' });
    const { id } = [...chain.log.blocks(2, HISTORY)].find(({ transactions }) => transactions.length > 0)!;
    for (const page of [1, 2, 70]) {
      const answer = await served.ask(
        `/api/transactions?blockId=${id}&transform=false&limit=100&page=${page}`,
      );
      expect(answer.body.data).toHaveLength(100);
    }
    expect((await served.ask('/devnet/behave', 'POST')).body.data).toMatchObject({ largestPage: 70 });
  });

  it('never ends an answer until it recovers', async () => {
    await order({ kind: 'endless-body' });
    const { body } = await fetch(`${url}/api/node/status`);
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > ENDLESS_BYTES) await served.ask('/devnet/behave', 'POST');
    }
    expect(bytes).toBeGreaterThan(ENDLESS_BYTES);
  });

  it('allows a number of requests per window, and tells the others how long to wait', async () => {
    await order({ kind: 'rate-limit', requests: 2, windowMs: 600_000 });
    const ask = (): Promise<Response> => fetch(`${url}/api/node/status`);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^(600|59\d)$/);
    await order({ kind: 'rate-limit', requests: 1, windowMs: 100 });
    expect((await ask()).status).toBe(200);
    // The source waits for the next window, more than once if other requests use it up.
    const patient = await createBlockSource({ urls: url, attempts: 10 });
    expect(await patient.tip()).toMatchObject({ height: HISTORY });
    await patient.close();
  });

  it('behaves correctly at its second address all the time', async () => {
    await order({ kind: 'failing', status: 500 });
    const well = await createBlockSource({ urls: `${url}/devnet/well`, verify: 'full' });
    expect(await well.tip()).toEqual({ height: HISTORY, id: chain.head.id });
    expect(await well.blocks(1, HISTORY)).toHaveLength(HISTORY);
    await well.close();
  });

  it('says what is wrong with an order', async () => {
    const refused = async (body: object): Promise<string> => {
      const answer = await served.ask('/devnet/misbehave', 'POST', body);
      expect(answer.status).toBe(422);
      return answer.body.message;
    };
    expect(await refused({ kind: 'rude' })).toContain('"kind"');
    expect(await refused({ kind: 'slow' })).toContain('"delayMs"');
    expect(await refused({ kind: 'gap', count: 0 })).toContain('"count"');
    expect(await refused({ kind: 'behind', depth: HISTORY })).toContain('smaller depth');
    expect(await heights()).toEqual([11, 12, 13, 14, 15]);
  });
});
