import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { unfinishedBytes } from './archive-file.js';

const LINE = '{"height":1}\n';

describe('unfinishedBytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-unfinished-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each<[string, string | Buffer, number]>([
    ['whole lines', LINE + LINE, 0],
    ['a last line without its line break', LINE + LINE.trimEnd(), 0],
    ['blank lines at its end', `${LINE}\n \n`, 0],
    ['half a line', `${LINE}{"hei`, 5],
    ['half of its only line', '{"hei', 5],
    ['half of a line that is longer than a chunk', `${LINE}{"a":"${'x'.repeat(200_000)}`, 200_006],
    ['nothing', '', 0],
    ['gzipped lines', gzipSync(`${LINE}{"hei`), 0],
  ])('counts what a file with %s has after its last whole line', async (_, text, bytes) => {
    const path = join(folder, 'chain.ndjson');
    writeFileSync(path, text);
    expect(await unfinishedBytes(path)).toBe(bytes);
  });
});
