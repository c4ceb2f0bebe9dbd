import { readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { eventually, readRecording } from '@roundhouse/testing';
import { decodeBlock } from '../decode/block.js';
import { newFolders } from '../folder.harness.js';
import { refusal } from '../refusal.harness.js';
import { ArchiveSource } from './archive-source.js';
import type { OpenArchiveOptions } from './open-archive.js';
import type { UnpackingStep } from './unpacked-copy.js';

const recorded = readRecording('core-2.4', 'chain.ndjson.gz');
const blocks = recorded.map(decodeBlock);
const textOf = (count: number): string =>
  recorded
    .slice(0, count)
    .map((block) => `${JSON.stringify(block)}\n`)
    .join('');

describe('a large gzipped archive of another program', () => {
  const inFolder = newFolders();
  let path: string;
  let steps: UnpackingStep[];
  const sources: ArchiveSource[] = [];

  beforeEach(() => {
    path = inFolder('chain.ndjson.gz');
    steps = [];
  });

  afterEach(() => Promise.all(sources.splice(0).map((source) => source.close())));

  const files = (): Promise<string[]> => readdir(inFolder());

  const open = (options: Partial<OpenArchiveOptions> = {}): ArchiveSource => {
    const source = new ArchiveSource(path, {
      onStep: (step) => steps.push(step),
      unpackFromBytes: 1_000,
      ...options,
    });
    sources.push(source);
    return source;
  };

  const names = (): string[] => steps.map(({ step }) => step);

  it('is unpacked once, and what is told says where to and how large', async () => {
    await writeFile(path, gzipSync(textOf(322)));
    const source = open();
    expect(await source.tip()).toEqual({ height: 322, id: blocks[321]!.id });
    expect(await source.blocks(300, 303)).toEqual(blocks.slice(299, 303));
    expect(await readFile(`${path}.unpacked`, 'utf8')).toBe(textOf(322));
    const { size } = await stat(path);
    const copyBytes = Buffer.byteLength(textOf(322));
    const told = { archive: path, copy: `${path}.unpacked`, allBytes: size };
    expect(steps).toEqual([
      { ...told, step: 'begun', copyBytes: 0, doneBytes: 0 },
      { ...told, step: 'done', copyBytes, doneBytes: size },
    ]);
    expect(await open().blocks(1, 400)).toEqual(blocks);
    expect(steps.at(-1)).toEqual({ ...told, step: 'reused', copyBytes, doneBytes: size });
    expect(await files()).toEqual(['chain.ndjson.gz', 'chain.ndjson.gz.unpacked']);
  });

  it('is unpacked again when it has changed', async () => {
    await writeFile(path, gzipSync(textOf(100)));
    const source = open();
    expect((await source.tip()).height).toBe(100);
    await writeFile(path, gzipSync(textOf(200)));
    expect((await source.tip()).height).toBe(200);
    expect((await open().tip()).height).toBe(200);
    expect(names()).toEqual(['begun', 'done', 'begun', 'done', 'reused']);
  });

  it('is unpacked again if the copy is gone', async () => {
    await writeFile(path, gzipSync(textOf(100)));
    const source = open();
    await source.tip();
    await rm(`${path}.unpacked`);
    await expect(source.blocks(5, 6)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' });
    expect(await source.blocks(5, 6)).toEqual(blocks.slice(4, 6));
  });

  it('is unpacked by one of several processes; the others wait for it', async () => {
    await writeFile(path, gzipSync(textOf(322)));
    // Otherwise the first may have unpacked everything before the third begins.
    const untilTwoWait = async (): Promise<number> => {
      await eventually('two wait', () => names().filter((name) => name === 'waiting').length === 2);
      return Infinity;
    };
    const tips = await Promise.all([1, 2, 3].map(() => open({ freeBytes: untilTwoWait }).tip()));
    expect(tips.map(({ height }) => height)).toEqual([322, 322, 322]);
    expect(names().sort()).toEqual(['begun', 'done', 'reused', 'reused', 'waiting', 'waiting']);
  });

  it('is unpacked from the beginning if a process died meanwhile', async () => {
    await writeFile(path, gzipSync(textOf(322)));
    await writeFile(`${path}.unpacked.part`, 'half a line');
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(`${path}.unpacked.part`, longAgo, longAgo);
    expect((await open().tip()).height).toBe(322);
    expect(await readFile(`${path}.unpacked`, 'utf8')).toBe(textOf(322));
  });

  it('is unpacked once and completely, however many processes begin at the same moment', async () => {
    await writeFile(path, gzipSync(textOf(322)));
    for (let turn = 0; turn < 5; turn += 1) {
      await rm(`${path}.unpacked`, { force: true });
      steps.length = 0;
      await Promise.all(Array.from({ length: 8 }, () => open().tip()));
      expect(names().filter((name) => name === 'begun')).toHaveLength(1);
      expect(await readFile(`${path}.unpacked`, 'utf8')).toBe(textOf(322));
    }
  });

  it('is refused if it is damaged, with the line, and leaves nothing', async () => {
    await writeFile(path, gzipSync(textOf(322)));
    await truncate(path, (await stat(path)).size - 2_000);
    await expect(open().tip()).rejects.toMatchObject(refusal(/cut off or damaged at line \d\d\d or later/));
    expect(await files()).toEqual(['chain.ndjson.gz']);
  });

  it('is not unpacked onto a disk that is too full, and the error says what helps', async () => {
    await writeFile(path, gzipSync(textOf(322).repeat(20)));
    const refused = open({ freeBytes: async () => 100_000 });
    const says =
      /^The archive .* cannot be unpacked: the disk of .* is too full: about 0\.0 GB are needed, 0\.0 GB are free\. Free some space there\. Or unpack it elsewhere \("gunzip -c .* > FILE"\) and set BLOCK_SOURCE=file:FILE\./;
    await expect(refused.tip()).rejects.toMatchObject(refusal(says, { name: 'NodeUnavailableError' }));
    expect(await files()).toEqual(['chain.ndjson.gz']);
  });

  it('leaves nothing half unpacked when its source is closed', async () => {
    await writeFile(path, gzipSync(textOf(322)));
    const closing: Promise<void>[] = [];
    const source: ArchiveSource = open({ onStep: () => closing.push(source.close()) });
    await expect(source.tip()).rejects.toThrow('is not unpacked further, because this source was closed');
    await Promise.all(closing);
    expect(await files()).toEqual(['chain.ndjson.gz']);
  });
});
