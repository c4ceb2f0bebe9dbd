import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type WorkerOptions } from 'node:worker_threads';
import { jest } from '@jest/globals';
import { archiveLine } from '@roundhouse/blocks';
import { parseNetwork, TransactionType, type BlockRef } from '@roundhouse/chain';
import { createBlockSource } from '@roundhouse/source';
import {
  CoreApiStandIn,
  eventually,
  makerOf,
  makeSigner,
  SMALL,
  TIMING,
  type ArchiveBlock,
} from '@roundhouse/testing';

const { port1: pool, port2: parentPort } = new MessageChannel();
const workerData = {};

/** What threads do, this one does, where it can be counted. */
jest.unstable_mockModule('node:worker_threads', () => ({
  parentPort,
  workerData,
  Worker: class {
    constructor(file: URL, options: WorkerOptions) {
      Object.assign(workerData, options.workerData);
      void import(fileURLToPath(file));
    }
    on(event: string, listen: (message: unknown) => void): void {
      if (event === 'message') pool.on(event, listen);
    }
    postMessage(message: unknown): void {
      pool.postMessage(message);
    }
    unref(): void {}
    terminate(): void {}
  },
}));

const { IndexerHarness } = await import('../indexer.harness.js');
await import('@roundhouse/source/segments');

const WORKSPACE = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Not the folders of jobs, settings, logs, metrics and traces, nor what runs beside the blocks: the writer's lock and
 * the watches over a standstill, and the deliveries of webhooks with their transactions.
 */
const COUNTED =
  /^(?:apps\/indexer\/src\/(?:workers\.|(?:follow|fetch|bulk|apply|fork|network)\/)|libs\/(?:source|blocks|chain|entities|storage)\/src\/)/;
const NOT_COUNTED = /\/(?:progress-log|batch-trace|source-watch|standstill|deliveries|in-transaction)\./;

/** The files that a table names: a folder in one column, its files in the next, where `{a,b}` stands for two of them. */
const filesIn = (table: string): string[] =>
  [...table.matchAll(/\| `((?:apps|libs)\/[^`]+)` +\|([^|]+)\|$/gm)].flatMap(([, folder, cell]) =>
    [...cell!.matchAll(/`([^`{]+)(?:\{([^}]+)\})?`/g)].flatMap(([, start, ends = '']) =>
      ends.split(',').map((end) => `${folder}/${start}${end}.ts`),
    ),
  );

/** Up to here, the chain has everything; above it, each block has a transfer, and no round ends. */
const INDEXED = 100;
const BLOCKS = 300;

const makeTransfers = () => {
  const form = { activeDelegates: BLOCKS + 1, pubKeyHash: 30 };
  const options = { ...SMALL, form, delegates: form.activeDelegates, transactionsPerBlock: 0 };
  const maker = makerOf(options);
  const { ring, sign } = makeSigner(options);
  const [sender, recipientId] = ring.accounts.map(({ address }) => address);
  const transfer = { type: TransactionType.Transfer, sender: sender!, recipientId: recipientId! };
  const state = maker.emptyState(TIMING);
  const blocks = [maker.genesis];
  state.apply(maker.genesis);
  while (state.height < BLOCKS) {
    const signed = sign(state, { ...transfer, fee: 10_000_000n, amount: 1n });
    const block = maker.forge.forgeNext(state, {
      admit: (draft) => (state.height < INDEXED ? undefined : draft.add(signed)),
    });
    state.apply(block);
    blocks.push(block);
  }
  return { configuration: { ...maker.network(TIMING) }, lines: blocks.map(archiveLine) };
};

/** The verification is the default one. */
const verify = 'full';
const SETTINGS = { VERIFY: verify, VERIFY_EVERY: '0' };

describe('the files that a block with a transfer passes', () => {
  const { lines, configuration } = makeTransfers();
  const network = parseNetwork(configuration);
  const session = new Session();
  let harness: Awaited<ReturnType<typeof IndexerHarness.create>>;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-walks-'));
    harness = await IndexerHarness.create('postgres');
    session.connect();
    await session.post('Profiler.enable');
  });

  afterEach(async () => {
    session.disconnect();
    await harness.close();
    await rm(folder, { recursive: true });
  });

  afterAll(() => {
    pool.close();
    parentPort.close();
  });

  const reach = (height: number): Promise<number> =>
    eventually(`the head is ${height}`, async () => {
      const { rows } = await harness.pool.query<{ height: number }>('SELECT height FROM head');
      return (rows[0]?.height ?? 0) >= height;
    });

  /** The files of which a function runs until the index is at this height. */
  const walk = async (begin: () => void, height: number): Promise<string[]> => {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    begin();
    await reach(height);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    return result
      .filter(({ url, functions }) => url !== '' && functions.some(({ ranges }) => ranges[0]!.count > 0))
      .map(({ url }) => relative(WORKSPACE, url.replace(/^file:\/\//, '')))
      .filter((file) => COUNTED.test(file) && !NOT_COUNTED.test(file))
      .sort();
  };

  const atTip = async (): Promise<string[]> => {
    const shown = lines.map((line) => JSON.parse(line) as ArchiveBlock);
    const node = await CoreApiStandIn.startLine('3.0.6-3.9', configuration, shown);
    const { chain } = node;
    node.chain = chain.slice(0, -1);
    await harness.start(await createBlockSource({ urls: node.url, network, verify }), SETTINGS);
    await reach(BLOCKS - 1);
    const files = await walk(() => (node.chain = chain), BLOCKS);
    await node.close();
    return files;
  };

  const inBulk = async (): Promise<string[]> => {
    const archive = join(folder, 'chain.ndjson');
    await writeFile(archive, `${lines.join('\n')}\n`);
    const source = await createBlockSource({ urls: `file:${archive}`, network, verify });
    const { height, id } = JSON.parse(lines[INDEXED - 1]!) as BlockRef;
    const tip = jest.spyOn(source, 'tip').mockResolvedValue({ height, id });
    await harness.start(source, SETTINGS);
    await reach(INDEXED);
    const { calls } = tip.mock;
    const polls = async (more: number): Promise<void> => {
      const goal = calls.length + more;
      await eventually('it is polled', () => calls.length >= goal);
    };
    // Fetching has ended, and one poll waits for its answer, so no other plans anything.
    await polls(10);
    let answer: (tip: BlockRef) => void;
    tip.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    await polls(1);
    // So far away that no block is fetched. At the archive's end, the source would be asked whether it forked.
    return walk(() => answer({ height: 10_000, id }), INDEXED + 10);
  };

  it.each([
    ['at the tip', atTip, 42, 5_500],
    ['in bulk', inBulk, 40, 5_450],
  ] as const)(
    '%s: few, and architecture.md names them and no others',
    async (where, take, mostFiles, mostLines) => {
      const files = await take();
      const texts = await Promise.all(files.map((file) => readFile(join(WORKSPACE, file), 'utf8')));
      const lineCount = texts.join('').split('\n').length - 1;
      expect(files.length > mostFiles ? files : []).toEqual([]);
      expect(lineCount).toBeLessThanOrEqual(mostLines);
      // The measurement sees something.
      expect(files.length).toBeGreaterThan(mostFiles / 2);
      const sections = (await readFile(join(WORKSPACE, 'docs/architecture.md'), 'utf8')).split(/^#+ /m);
      const section = sections.find((text) => text.startsWith(`The files of a block ${where}\n`))!;
      const named = filesIn(section);
      expect(files.filter((file) => !named.includes(file))).toEqual([]);
      expect(named.filter((file) => !files.includes(file))).toEqual([]);
    },
  );
});
