import { mkdir, mkdtemp, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Block } from '@roundhouse/chain';
import { createBlockSource, loadNetwork } from '@roundhouse/source';
import { claimNetwork, NODE_TABLES } from '@roundhouse/storage';
import { recordingFile } from '@roundhouse/testing';
import { ApplyHarness } from '../apply/apply.harness.js';
import { connectForWork, cutOff } from '../database/check-database.js';
import { exportCore } from './export-core.js';

const RECORDING = 'core-3.9-full';
const HEAD = 352;

const NEVER = new AbortController().signal;

describe('indexer export --format core', () => {
  let root: string;
  let blocks: readonly Block[];
  let index: ApplyHarness;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'roundhouse-core-'));
    const network = await loadNetwork(recordingFile(RECORDING, 'network.json'));
    const urls = `file:${recordingFile(RECORDING, 'chain.ndjson.gz')}`;
    const source = await createBlockSource({ urls, network });
    blocks = await source.blocks(1, HEAD);
    await source.close();
    index = await ApplyHarness.create(network);
    await claimNetwork(index.client, network);
    await index.index(blocks.slice(0, HEAD - 20));
  });

  afterAll(async () => {
    await index.close();
    await rm(root, { recursive: true });
  });

  const sumsOf = (folder: string): Promise<string> => readFile(join(folder, 'SHA256SUMS'), 'utf8');

  const exported = async (folder: string, signal = NEVER): Promise<boolean> => {
    const client = await connectForWork(index.url);
    try {
      return (await exportCore(client, folder, signal)).isWhole;
    } finally {
      cutOff(client);
    }
  };

  /** All tables but the last one, whose place is taken. */
  const interrupted = async (name: string): Promise<string> => {
    const folder = join(root, name);
    expect(await exported(folder, AbortSignal.abort())).toBe(false);
    const taken = join(folder, `${NODE_TABLES.at(-1)}.copy`);
    await mkdir(taken);
    await expect(exported(folder)).rejects.toThrow(/cannot be written \(.*The same command continues/);
    await rmdir(taken);
    return folder;
  };

  const inodeOf = async (folder: string): Promise<number> =>
    (await stat(join(folder, `${NODE_TABLES[0]}.copy`))).ino;

  it('goes on with the tables that are complete, unless the head has moved', async () => {
    const [same, moved] = [await interrupted('same'), await interrupted('moved')];
    const inodes = [await inodeOf(same), await inodeOf(moved)];
    expect(await exported(same)).toBe(true);
    expect(await inodeOf(same)).toBe(inodes[0]);
    await exported(join(root, 'fresh'));
    expect(await sumsOf(same)).toBe(await sumsOf(join(root, 'fresh')));
    await expect(exported(same)).rejects.toThrow(/holds a complete export: name another folder/);
    await index.index(blocks);
    expect(await exported(moved)).toBe(true);
    expect(await inodeOf(moved)).not.toBe(inodes[1]);
    await exported(join(root, 'fresh again'));
    expect(await sumsOf(moved)).toBe(await sumsOf(join(root, 'fresh again')));
    expect(await sumsOf(moved)).not.toBe(await sumsOf(same));
  });
});
