import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createBlockSource } from '@roundhouse/source';
import {
  CoreApiStandIn,
  findViolations,
  recordedNodeFork,
  recordingFile,
  snapshotTables,
  type NodeBlock,
  type TablesSnapshot,
} from '@roundhouse/testing';
import { networkOf } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';
import { FollowedIndex } from './followed-index.js';

/** Both branches have blocks 1 to 300; a round ends at 306. */
const COMMON_HEAD = 300;

const recordedLines = async (file: string): Promise<string[]> => {
  const packed = await readFile(recordingFile('core-2.4', file));
  return (await promisify(gunzip)(packed)).toString('utf8').trimEnd().split('\n');
};

/** The tables of an index, which is closed. */
const tablesOf = async (index: RecordedIndex): Promise<TablesSnapshot> => {
  try {
    return await snapshotTables(index.client);
  } finally {
    await index.close();
  }
};

/** The tables of an index that has seen only this archive's branch. */
const straightTables = async (archive: string, height: number): Promise<TablesSnapshot> => {
  const network = await networkOf('core-2.4');
  const source = await createBlockSource({ urls: archive, network });
  const index = await RecordedIndex.create(source, network, { keepsHistory: true });
  await index.indexTo(height);
  await source.close();
  return tablesOf(index);
};

describe('the recorded fork', () => {
  let folder: string;
  let straight: { readonly main: TablesSnapshot; readonly fork: TablesSnapshot };
  let standIn: CoreApiStandIn;
  let main: readonly NodeBlock[];
  let fork: readonly NodeBlock[];
  let index: FollowedIndex;

  beforeAll(async () => {
    standIn = await CoreApiStandIn.start('core-2.4');
    main = standIn.chain;
    fork = recordedNodeFork(main);
    folder = await mkdtemp(join(tmpdir(), 'recorded-fork-'));
    const archive = join(folder, 'fork.ndjson');
    const common = (await recordedLines('chain.ndjson.gz')).slice(0, COMMON_HEAD);
    await writeFile(archive, [...common, ...(await recordedLines('fork-from-301.ndjson.gz'))].join('\n'));
    straight = {
      main: await tablesOf(await RecordedIndex.whole('core-2.4', { keepsHistory: true })),
      fork: await straightTables(`file:${archive}`, fork.length),
    };
  });

  afterAll(async () => {
    await standIn.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    standIn.requests.length = 0;
    standIn.chain = main;
    standIn.intercept = () => undefined;
    index = await FollowedIndex.start(standIn.url, { HISTORY: 'full' });
  });

  afterEach(() => index.close());

  const expectTables = async (tables: TablesSnapshot): Promise<void> => {
    expect(tables['history_delegates']).not.toEqual([]);
    expect(await snapshotTables(index.client)).toEqual(tables);
    expect(await findViolations(index.client)).toEqual({});
  };

  it('is followed from one branch to the other, and back', async () => {
    await index.reach(main.at(-1)!);
    await expectTables(straight.main);
    standIn.chain = fork;
    await index.reach(fork.at(-1)!);
    await expectTables(straight.fork);
    standIn.chain = main;
    await index.reach(main.at(-1)!);
    await expectTables(straight.main);
  });

  it('is followed if the node switches branches in the middle of a range', async () => {
    const { timestamp } = main[301]!;
    let isSwitched = false;
    standIn.intercept = ({ path, payload }) => {
      if (!path.includes('/transactions/search?')) return;
      const { from, to } = (JSON.parse(payload) as { readonly timestamp: Record<'from' | 'to', number> })
        .timestamp;
      if (timestamp < from || timestamp > to) return;
      standIn.chain = fork;
      isSwitched = true;
    };
    await index.reach(fork.at(-1)!);
    expect(isSwitched).toBe(true);
    await expectTables(straight.fork);
  });
});
