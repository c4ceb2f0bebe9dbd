import { createHash } from 'node:crypto';
import { appendFile, open, truncate, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { decodeBlock } from '@roundhouse/blocks';
import { readRecording } from '@roundhouse/testing';
import { newFolders } from '../folder.harness.js';
import { ArchiveSource } from './archive-source.js';
import { gzipMember } from './gzip-member.js';

/**
 * Text that cannot be compressed below half: with it, the members of a few blocks are long enough to be looked for. That of
 * the first line is longer than what is read at once.
 */
const filling = (height: number): string =>
  Array.from({ length: height === 1 ? 20_000 : 600 }, (_, n) =>
    createHash('sha256').update(`${height} ${n}`).digest('hex'),
  ).join('');

const lines = readRecording('core-2.4', 'chain.ndjson.gz').map((block, index) =>
  JSON.stringify({ ...block, filling: filling(index + 1) }),
);
const blocks = readRecording('core-2.4', 'chain.ndjson.gz').map(decodeBlock);
const MEMBER_LINES = 40;

const textOf = (from: number, to: number): string => `${lines.slice(from - 1, to).join('\n')}\n`;

const bytesOf = (from: number, to: number): number => Buffer.byteLength(textOf(from, to));

/** The members of lines 1 to `to`, as `indexer export` writes them, and their first lines with their offsets. */
const membersUpTo = async (to: number): Promise<{ readonly file: Buffer; readonly offsets: number[] }> => {
  const members: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (let line = 1; line <= to; line += MEMBER_LINES) {
    const text = Buffer.from(textOf(line, Math.min(line + MEMBER_LINES - 1, to)));
    const member = await gzipMember(text, { line, offset });
    members.push(member);
    offsets.push(offset);
    offset += member.length;
  }
  return { file: Buffer.concat(members), offsets };
};

describe('an archive that is read from the middle', () => {
  const inFolder = newFolders();
  let path: string;
  let source: ArchiveSource;

  beforeEach(() => {
    path = inFolder('archive');
    source = new ArchiveSource(path);
  });

  afterEach(() => source.close());

  const overwrite = async (from: number, to: number): Promise<void> => {
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(to - from, 0x2a), 0, to - from, from);
    await file.close();
  };

  const linesFrom = async (from: number, count = Infinity): Promise<string[]> => {
    const found: string[] = [];
    for await (const { firstHeight, bytes } of source.segments(from)) {
      expect(firstHeight).toBe(from + found.length);
      found.push(...Buffer.from(bytes).toString().split('\n'));
      if (found.length >= count) break;
    }
    return found;
  };

  it('of members is an ordinary gzipped file with exactly its lines', async () => {
    const { file } = await membersUpTo(90);
    expect(gunzipSync(file).toString()).toBe(textOf(1, 90));
  });

  it.each(['plain', 'gzipped'])('returns any block, range, segments and the tip (%s)', async (kind) => {
    await writeFile(path, kind === 'plain' ? textOf(1, 322) : (await membersUpTo(322)).file);
    expect(await source.tip()).toEqual({ height: 322, id: blocks[321]!.id });
    for (const height of [320, 1, 41, 40, 200, 2, 322, 161, 160, 121]) {
      expect(await source.blocks(height, height)).toEqual([blocks[height - 1]]);
    }
    for (const from of [1, 200, 323]) expect(await linesFrom(from)).toEqual(lines.slice(from - 1));
    expect(await source.blocks(310, 400)).toEqual(blocks.slice(309));
    expect(await source.blocks(323, 400)).toEqual([]);
  });

  it.each([
    ['plain', 'line 41 holds height 91'],
    ['gzipped', /cut off or damaged at line \d+ or later/],
  ])('reads only what it needs: damage far from there does not matter (%s)', async (kind, problem) => {
    const { file, offsets } = await membersUpTo(322);
    await writeFile(path, kind === 'plain' ? textOf(1, 322) : file);
    if (kind === 'plain') await overwrite(bytesOf(1, 10), bytesOf(1, 60));
    else await overwrite(offsets[1]!, offsets[2]!);
    expect((await source.tip()).height).toBe(322);
    expect(await source.blocks(305, 310)).toEqual(blocks.slice(304, 310));
    expect((await linesFrom(300, 1))[0]).toBe(lines[299]);
    expect(await source.blocks(1, 9)).toEqual(blocks.slice(0, 9));
    await expect(source.blocks(41, 41)).rejects.toThrow(problem);
  });

  it('refuses gzipped data that is cut off within a member, names the line, and returns what is below', async () => {
    const { file } = await membersUpTo(322);
    await writeFile(path, file);
    await truncate(path, file.length - 100);
    await expect(source.tip()).rejects.toThrow(/cut off or damaged at line 3\d\d or later/);
    expect(await source.blocks(200, 210)).toEqual(blocks.slice(199, 210));
    await expect(linesFrom(300)).rejects.toMatchObject({ code: 'NODE_PROTOCOL', height: expect.any(Number) });
  });

  it('follows a file to which members are added', async () => {
    const [short, long] = [await membersUpTo(240), await membersUpTo(322)];
    await writeFile(path, short.file);
    expect((await source.tip()).height).toBe(240);
    await appendFile(path, long.file.subarray(short.file.length));
    expect((await source.tip()).height).toBe(322);
    expect(await source.blocks(239, 242)).toEqual(blocks.slice(238, 242));
  });

  it('reads what another program has appended', async () => {
    await writeFile(path, Buffer.concat([(await membersUpTo(240)).file, gzipSync(textOf(241, 322))]));
    expect(await source.tip()).toEqual({ height: 322, id: blocks[321]!.id });
    expect(await source.blocks(300, 302)).toEqual(blocks.slice(299, 302));
    expect(await source.blocks(235, 245)).toEqual(blocks.slice(234, 245));
  });

  it('does not use places that belong to another file', async () => {
    const { file } = await membersUpTo(80);
    await writeFile(path, Buffer.concat([file, file]));
    await expect(source.tip()).rejects.toThrow('its last line, 160, holds height 80: it has gaps');
    await expect(source.blocks(81, 82)).rejects.toThrow('line 81 holds height 1');
  });
});
