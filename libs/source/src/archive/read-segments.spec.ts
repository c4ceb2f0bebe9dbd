import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSegments } from './read-segments.js';

/** Long enough for several chunks. The first line alone is longer than one. */
const LINES = Array.from({ length: 5_000 }, (_, index) =>
  JSON.stringify({ line: index + 1, filling: 'x'.repeat(index === 0 ? 2_500_000 : (index * 131) % 900) }),
);

describe('reading an archive in segments', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'segments-'));
    await writeFile(join(folder, 'plain'), `${LINES.join('\n')}\n`);
    await writeFile(join(folder, 'gzipped'), gzipSync(`${LINES.join('\n')}\n`));
    await writeFile(join(folder, 'unfinished'), `${LINES.slice(0, 10).join('\n')}\n{"line": 1`);
    await writeFile(join(folder, 'without-end'), LINES.slice(0, 10).join('\n'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const linesFrom = async (file: string, from: number): Promise<string[]> => {
    const lines: string[] = [];
    for await (const { firstHeight, bytes } of readSegments(join(folder, file), from)) {
      expect(firstHeight).toBe(from + lines.length);
      lines.push(...Buffer.from(bytes).toString().trimEnd().split('\n'));
    }
    return lines;
  };

  it.each(['plain', 'gzipped'])('returns every line from any line on (%s)', async (file) => {
    for (const from of [1, 2, 2_500, 5_000])
      expect(await linesFrom(file, from)).toEqual(LINES.slice(from - 1));
  });

  it('returns nothing after the end', async () => {
    expect(await linesFrom('plain', 5_001)).toEqual([]);
  });

  it('returns a last line without a line break if it is complete, and not while it is being written', async () => {
    expect(await linesFrom('without-end', 1)).toEqual(LINES.slice(0, 10));
    expect(await linesFrom('unfinished', 1)).toEqual(LINES.slice(0, 10));
  });
});
