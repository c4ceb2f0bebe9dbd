import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ArchiveLines } from './archive-lines.js';

const COUNT = 500;
/** About 6 KB each, of varying length: over 3 MB in all. */
const textOf = (line: number): string => `${line}:${'x'.repeat(6000 + (line % 97))}`;

describe('ArchiveLines', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-lines-'));
    const text = Array.from({ length: COUNT }, (_, index) => `${textOf(index + 1)}\n`).join('');
    await writeFile(join(folder, 'plain'), text);
    await writeFile(join(folder, 'gzipped'), gzipSync(text));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['plain', true],
    ['gzipped', false],
  ])(
    'returns any line of a %s file in any order, even if it keeps almost no lines',
    async (name, isSeekable) => {
      const lines = new ArchiveLines(join(folder, name), isSeekable, 1);
      for (const line of [500, 1, 499, 250, 251, 249, 2, 400, 399, 500]) {
        expect((await lines.get(line))?.toString()).toBe(textOf(line));
      }
      expect(await lines.get(COUNT + 1)).toBeNull();
      expect((await lines.get(3))?.toString()).toBe(textOf(3));
      await lines.forget();
    },
  );

  it('returns the first line again without reading from the start', async () => {
    const lines = new ArchiveLines(join(folder, 'gzipped'), false, 1);
    await lines.get(400);
    const reached = lines.lastLine;
    expect((await lines.get(1))?.toString()).toBe(textOf(1));
    expect(lines.lastLine).toBe(reached);
    await lines.forget();
  });
});
