import { readFile } from 'node:fs/promises';
import { computeBlockId } from '@roundhouse/blocks';
import type { Block } from '@roundhouse/chain';
import { CoreApiStandIn, type ArchiveBlock, type NodeConfiguration } from '@roundhouse/testing';
import { GeneratedChain, USUAL_FORM } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';

/** An archive that is this far ahead is read in bulk. */
const BLOCKS = 1_100;
const MISPLACED = 1_060;

const ACTIVE = { FORGERS: 'active' };

/** Of a line of the log. */
const WARNING = 40;

const ACCEPTED = 'accepted by FORGERS=active: the forger of the block is an active delegate';

/** The line of a block with another signature. Its id fits its contents. */
const signedByNobody = (line: string): string => {
  const block = JSON.parse(line) as Block;
  const [totalAmount, totalFee, reward] = [block.totalAmount, block.totalFee, block.reward].map(BigInt);
  const blockSignature = block.blockSignature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const header = {
    ...block,
    totalAmount: totalAmount!,
    totalFee: totalFee!,
    reward: reward!,
    blockSignature,
  };
  return line
    .replaceAll(block.id, computeBlockId(header, false))
    .replace(block.blockSignature, blockSignature);
};

describe('a block by an active delegate that does not have the slot', () => {
  let chain: GeneratedChain;
  let lines: string[];
  let node: CoreApiStandIn;
  let index: IndexUnderTest;

  beforeAll(async () => {
    chain = await GeneratedChain.generate(BLOCKS, `${USUAL_FORM} --misplaced ${MISPLACED}`);
    lines = await chain.lines();
    node = await CoreApiStandIn.startLine(
      '3.0.6-3.9',
      JSON.parse(await readFile(chain.network, 'utf8')) as NodeConfiguration,
      lines.map((line) => JSON.parse(line) as ArchiveBlock),
    );
  });

  afterEach(() => index.close());

  afterAll(async () => {
    await node.close();
    await chain.remove();
  });

  const open = async (source: string, over: Record<string, string> = {}): Promise<void> => {
    index = await IndexUnderTest.create('postgres', {
      BLOCK_SOURCE: source,
      NETWORK: chain.network,
      ...over,
    });
  };
  const run = (command: string, over: Record<string, string> = {}): Promise<Ended> =>
    indexer(command.split(' '), { ...index.environment, ...over });
  const sources = (): string[] => [`file:${chain.archive}`, node.url];

  it('is refused, and the sentence says what was tried and which setting accepts it', async () => {
    await open(`file:${chain.archive}`);
    const { code, stderr } = await run('sync');
    expect(stderr).toMatch(
      /^Block 1060 cannot be applied: its generator is 0\w+, but the slot of its timestamp \d+ belongs to 0\w+; .* other possible lists? of forgers.*; its generator is in one of these lists: FORGERS=active accepts it\. All blocks below it are indexed\./m,
    );
    expect([code, await index.height()]).toEqual([1, MISPLACED - 1]);
    // The index goes on with the setting.
    expect(await run('sync', ACTIVE)).toMatchObject({ code: 0 });
    expect(await index.height()).toBe(BLOCKS);
  });

  it('is accepted with FORGERS=active: warned of, counted, listed, and undone', async () => {
    const digests: string[] = [];
    for (const source of sources()) {
      await open(source, ACTIVE);
      const process = index.run();
      await index.reach(BLOCKS, process);
      await process.says(new RegExp(ACCEPTED));
      const metrics = await (await fetch(`${process.operationsUrl}/metrics`)).text();
      expect(metrics).toContain('\nroundhouse_misplaced_blocks_total 1\n');
      await process.kill('SIGTERM');
      expect(process.lines.filter(({ msg }) => String(msg).startsWith(ACCEPTED))).toMatchObject([
        { level: WARNING, height: MISPLACED, round: 21 },
      ]);
      digests.push(await index.digest());
      if (digests.length < 2) await index.close();
    }
    expect(digests[0]).toBe(digests[1]);

    // What it has accepted is part of the index, whatever the setting is now.
    const asBefore = { FORGERS: 'slot' };
    expect((await run('status', asBefore)).stdout).toMatch(
      /^misplaced FORGERS=active accepted 1 block whose forger does not have the slot, the newest at height 1060$/m,
    );
    expect(JSON.parse((await run('status --json', asBefore)).stdout)).toMatchObject({
      head: { misplaced: { blocks: 1, newest: MISPLACED } },
    });
    const listed = /^FORGERS=active accepted 1 block whose forger does not have the slot: 1060$/m;
    for (const command of ['verify', 'rebuild --from-genesis', 'verify --from-genesis']) {
      const { code, stdout } = await run(command, asBefore);
      expect([command, code]).toEqual([command, 0]);
      if (command.startsWith('verify')) expect(stdout).toMatch(listed);
    }
    expect(await index.digest()).toBe(digests[0]);

    expect(await run(`rollback --to ${MISPLACED - 1} --yes`)).toMatchObject({ code: 0 });
    expect((await run('status')).stdout).not.toContain('misplaced');
    expect((await run('verify')).stdout).not.toMatch(/FORGERS/);
    expect(await run('sync', asBefore)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('FORGERS=active accepts it'),
    });
    expect(await run('sync')).toMatchObject({ code: 0 });
    expect(await index.digest()).toBe(digests[0]);
  });

  it('is refused if it is not signed by its generator, and replaced when the source has the right one', async () => {
    const damaged = await chain.write(
      'damaged.ndjson',
      lines.with(MISPLACED - 1, signedByNobody(lines[MISPLACED - 1]!)).slice(0, MISPLACED),
    );
    for (const source of [`file:${damaged}`, `file:${damaged},file:${damaged}`]) {
      await open(source, ACTIVE);
      const { code, stderr } = await run('sync');
      expect(stderr).toMatch(/Block 1060 .*its blockSignature is not by its generator 0\w+/);
      expect([code, await index.height()]).toEqual([1, MISPLACED - 1]);
      expect(await run('sync', { BLOCK_SOURCE: `file:${chain.archive}` })).toMatchObject({ code: 0 });
      expect(await index.height()).toBe(BLOCKS);
      await index.close();
    }
    await open(node.url);
  });
});
