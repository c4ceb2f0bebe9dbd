import { randomUUID } from 'node:crypto';
import { createWebhook, readChainEnd, readVerificationState, writeChainEnd } from '@roundhouse/storage';
import { eventually, randomChain } from '@roundhouse/testing';
import { isAtEnd, withKnownEnd } from '../frozen/end-of-settings.js';
import { IndexerHarness, MemorySource, readiness } from '../indexer.harness.js';
import type { RunningIndexer } from '../indexer.js';
import { TestReceiver } from '../webhooks/receiver.harness.js';

const { network, blocks } = randomChain({ seed: 37, blocks: 90 });
const other = randomChain({ seed: 37, blocks: 90, forkFrom: 75 }).blocks;
const LAST = 80;
const last = blocks[LAST - 1]!;
const END = { FINAL_HEIGHT: String(LAST) };

describe('an indexer with FINAL_HEIGHT', () => {
  let harness: IndexerHarness;
  let source: MemorySource;

  beforeEach(async () => {
    harness = await IndexerHarness.create('postgres');
    source = new MemorySource(blocks, network);
  });

  afterEach(() => harness.close());

  /** Runs to the end of the chain, as "run" does before it needs no source any more. */
  const runToEnd = async (over: Readonly<Record<string, string>> = {}): Promise<void> => {
    const indexer = await harness.start(source, { ...END, ...over });
    await indexer.ended;
    await indexer.stop();
  };

  const untilReady = ({ operationsUrl }: RunningIndexer): Promise<unknown> =>
    eventually('it is proven', async () => (await readiness(operationsUrl))[0] === 200, 120_000);

  const metricsOf = async ({ operationsUrl }: RunningIndexer): Promise<string> =>
    (await fetch(`${operationsUrl}/metrics`)).text();

  it('stops there although the source goes on, proves the index, and needs no source from then on', async () => {
    await runToEnd();
    expect(await harness.head()).toEqual({ height: LAST, id: last.id });
    expect(await readChainEnd(harness.pool)).toMatchObject({ height: LAST, id: last.id, provenAt: null });
    const { tipsAsked } = source;
    const frozen = await harness.startFrozen(END);
    await untilReady(frozen);
    const end = (await readChainEnd(harness.pool))!;
    expect(end).toEqual({ height: LAST, id: last.id, provenAt: expect.any(Date), problem: null });
    expect((await readVerificationState(harness.pool)).last).toMatchObject({
      from: 0,
      height: LAST,
      problem: null,
    });
    const metrics = await metricsOf(frozen);
    expect(metrics).toMatch(/^roundhouse_head_height 80$/m);
    expect(metrics).toMatch(/^roundhouse_chain_ended 1$/m);
    expect(metrics).toMatch(/^roundhouse_chain_proven 1$/m);
    expect(metrics).not.toMatch(/^roundhouse_(source_height|lag_blocks) /m);
    expect(source.tipsAsked).toBe(tipsAsked);
    expect(await isAtEnd(harness.settings(END))).toBe(true);
    await expect(isAtEnd(harness.settings({ ...END, FINAL_BLOCK_ID: '1' }))).rejects.toThrow(
      `The index has block ${last.id} at FINAL_HEIGHT=80, but FINAL_BLOCK_ID is 1`,
    );
  });

  it('posts what still waits for webhooks after the end, once, from one of two processes', async () => {
    const receiver = await TestReceiver.start();
    try {
      receiver.respond = (response) => response.writeHead(503).end();
      // Long enough that no post is repeated on a busy machine.
      const settings = { ...END, CORE_WEBHOOKS_TARGETS: 'any', CORE_WEBHOOKS_TIMEOUT: '30000' };
      source.chain = blocks.slice(0, 60);
      const indexer = await harness.start(source, settings);
      await harness.reach(blocks[59]!);
      const content = { event: 'block.applied', target: receiver.url, enabled: true, conditions: [] };
      const token = { token: '0'.repeat(32), tokenRest: Buffer.alloc(32) };
      await createWebhook(harness.pool, { id: randomUUID(), ...content }, token);
      source.chain = blocks;
      await indexer.ended;
      await indexer.stop();
      const told = (): number[] =>
        receiver.dataAt('/').map((data) => (data as { readonly height: number }).height);
      const frozen = [await harness.startFrozen(settings), await harness.startFrozen(settings)];
      await Promise.all(frozen.map(untilReady));
      receiver.received.splice(0);
      receiver.respond = (response) => response.end();
      await harness.pool.query('UPDATE webhooks SET retry_at = NULL');
      await eventually('the last block is posted', () => told().includes(LAST), 60_000);
      expect(told()).toEqual(blocks.slice(60, LAST).map(({ height }) => height));
    } finally {
      await receiver.close();
    }
  });

  it('refuses a height below the head, and goes on as a living chain only once it is 0', async () => {
    await runToEnd();
    await expect(harness.start(source, { FINAL_HEIGHT: '70' })).rejects.toThrow(
      /^The index is at height 80, above FINAL_HEIGHT=70: nothing was changed\..*"indexer rollback --to 70 --yes"/,
    );
    expect(await readChainEnd(harness.pool)).toMatchObject({ height: LAST, id: last.id });
    await runToEnd({ FINAL_HEIGHT: '' });
    expect(await readChainEnd(harness.pool)).toMatchObject({ height: LAST, id: last.id });
    const known = await withKnownEnd(harness.settings({}));
    expect([known.FINAL_HEIGHT, await isAtEnd(known)]).toEqual([LAST, true]);
    const lives = { FINAL_HEIGHT: '0' };
    expect(await isAtEnd(await withKnownEnd(harness.settings(lives)))).toBe(false);
    await harness.start(source, lives);
    await harness.reach(blocks.at(-1)!);
    expect(await readChainEnd(harness.pool)).toBeNull();
  });

  it('with another FINAL_BLOCK_ID than its block names both, is not ready, and follows the source to that block', async () => {
    const wanted = other[LAST - 1]!;
    const indexer = await harness.start(source, { ...END, FINAL_BLOCK_ID: wanted.id });
    await harness.reach(last);
    const problem = `The index has block ${last.id} at FINAL_HEIGHT=80, but FINAL_BLOCK_ID is ${wanted.id}`;
    await eventually('it is not ready', async () =>
      (await readiness(indexer.operationsUrl))[1].includes(problem),
    );
    expect((await readChainEnd(harness.pool))!.problem).toContain(problem);
    expect(await metricsOf(indexer)).toMatch(/^roundhouse_end_problem 1$/m);
    source.chain = other;
    await indexer.ended;
    expect(await harness.head()).toEqual({ height: LAST, id: wanted.id });
  });

  it('waits for a source that is shorter; then all indexers of the database end', async () => {
    source.chain = blocks.slice(0, 60);
    const first = await harness.start(source, END);
    const second = await harness.start(new MemorySource(blocks.slice(0, 60), network), END);
    await harness.reach(blocks[59]!);
    expect(await readChainEnd(harness.pool)).toMatchObject({ height: LAST, id: null });
    source.chain = blocks;
    await Promise.all([first.ended, second.ended]);
    expect((await harness.head())!.height).toBe(LAST);
  });

  it('keeps to its own setting if another indexer takes the end back', async () => {
    source.chain = blocks.slice(0, 60);
    await harness.start(source, END);
    await harness.reach(blocks[59]!);
    await writeChainEnd(harness.pool, null);
    source.chain = blocks;
    await harness.reach(last);
    await source.polls(5);
    expect(await harness.head()).toEqual({ height: LAST, id: last.id });
  });

  it('takes the word of the operator for the last block if the index has it already', async () => {
    source.chain = blocks.slice(0, LAST);
    const indexer = await harness.start(source);
    await harness.reach(last);
    await indexer.stop();
    const settings = harness.settings({ ...END, FINAL_BLOCK_ID: last.id });
    const without = { ...settings, BLOCK_SOURCE: '' };
    await expect(isAtEnd({ ...without, FINAL_BLOCK_ID: undefined })).rejects.toThrow(
      /^BLOCK_SOURCE must be set/,
    );
    expect(await isAtEnd(without)).toBe(true);
    await expect(isAtEnd({ ...without, FINAL_HEIGHT: undefined })).rejects.toThrow(
      /^FINAL_BLOCK_ID says which/,
    );
  });

  it('is not ready with a damaged index, and proves it again after a rebuild', async () => {
    await runToEnd();
    await harness.pool.query(
      'UPDATE accounts SET balance = balance + 1 WHERE address = (SELECT min(address) FROM accounts)',
    );
    const frozen = await harness.startFrozen(END);
    await eventually('it is refused', async () =>
      (await readiness(frozen.operationsUrl))[1].includes('is not sound: accounts: 1 row differs'),
    );
    expect((await readChainEnd(harness.pool))!.provenAt).toBeNull();
    await harness.rebuild(100);
    await untilReady(frozen);
  });

  it('is proven again after a rebuild that found nothing to correct', async () => {
    await runToEnd();
    const change = (more: string) =>
      harness.pool.query(
        `UPDATE accounts SET balance = balance ${more} WHERE address = (SELECT min(address) FROM accounts)`,
      );
    await change('+ 1');
    const frozen = await harness.startFrozen(END);
    await eventually('it is refused', async () =>
      (await readiness(frozen.operationsUrl))[1].includes('is not sound'),
    );
    await change('- 1');
    await harness.rebuild(100);
    await untilReady(frozen);
  });
});
