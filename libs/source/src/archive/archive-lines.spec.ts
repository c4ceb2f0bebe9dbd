import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { newFolders } from '../folder.harness.js';
import { openArchive, START } from './archive-file.js';
import { ArchiveLines } from './archive-lines.js';

const COUNT = 500;
/** About 6 KB each, of varying length: over 3 MB in all. */
const textOf = (line: number): string =>
  JSON.stringify({ height: line, filling: 'x'.repeat(6000 + (line % 97)) });

const TEXT = Array.from({ length: COUNT }, (_, index) => `${textOf(index + 1)}\n`).join('');

describe('ArchiveLines', () => {
  const inFolder = newFolders();

  it.each<[string, string | Buffer]>([
    ['plain', TEXT],
    ['gzipped', gzipSync(TEXT)],
  ])('returns any line of a %s file in any order, even if it keeps almost no lines', async (_, content) => {
    await writeFile(inFolder('archive'), content);
    const lines = new ArchiveLines(await openArchive(inFolder('archive')), 1);
    for (const line of [500, 1, 499, 250, 251, 249, 2, 400, 399, 500])
      expect((await lines.get(line))?.toString()).toBe(textOf(line));
    expect(await lines.get(COUNT + 1)).toBeNull();
    expect((await lines.get(3))?.toString()).toBe(textOf(3));
    expect((await lines.last())?.bytes.toString()).toBe(textOf(COUNT));
    await lines.close();
  });

  it('returns the first line again without reading from the start', async () => {
    await writeFile(inFolder('archive'), TEXT);
    const soughtLines: number[] = [];
    const file = await openArchive(inFolder('archive'));
    const placeOf = (line: number) => {
      soughtLines.push(line);
      return Promise.resolve(START);
    };
    const lines = new ArchiveLines({ ...file, placeOf }, 1);
    for (const line of [400, 1, 401]) expect((await lines.get(line))?.toString()).toBe(textOf(line));
    expect(soughtLines).toEqual([400]);
    await lines.close();
  });
});
