import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ArchiveLines } from './archive-lines.js';
import { START } from './gzip-member.js';
import { openArchive, type OpenArchive } from './open-archive.js';

const COUNT = 500;
/** About 6 KB each, of varying length: over 3 MB in all. */
const textOf = (line: number): string =>
  JSON.stringify({ height: line, filling: 'x'.repeat(6000 + (line % 97)) });

describe('ArchiveLines', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-lines-'));
    const text = Array.from({ length: COUNT }, (_, index) => `${textOf(index + 1)}\n`).join('');
    await writeFile(join(folder, 'plain'), text);
    await writeFile(join(folder, 'gzipped'), gzipSync(text));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const placeOf = async (name: string): Promise<OpenArchive['placeOf']> => {
    const options = { onStep: () => undefined, signal: new AbortController().signal };
    return (await openArchive(join(folder, name), options)).placeOf;
  };

  it.each(['plain', 'gzipped'])(
    'returns any line of a %s file in any order, even if it keeps almost no lines',
    async (name) => {
      const lines = new ArchiveLines(join(folder, name), await placeOf(name), 1);
      for (const line of [500, 1, 499, 250, 251, 249, 2, 400, 399, 500]) {
        expect((await lines.get(line))?.toString()).toBe(textOf(line));
      }
      expect(await lines.get(COUNT + 1)).toBeNull();
      expect((await lines.get(3))?.toString()).toBe(textOf(3));
      await lines.close();
    },
  );

  it('returns the first line again without reading from the start', async () => {
    const soughtLines: number[] = [];
    const lines = new ArchiveLines(
      join(folder, 'gzipped'),
      async (line) => {
        soughtLines.push(line);
        return START;
      },
      1,
    );
    await lines.get(400);
    expect((await lines.get(1))?.toString()).toBe(textOf(1));
    expect((await lines.get(401))?.toString()).toBe(textOf(401));
    expect(soughtLines).toEqual([400]);
    await lines.close();
  });
});
