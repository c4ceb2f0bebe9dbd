import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, loadCoreDatabase } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { RECORDED_HEAD, recording } from './recording.js';

describe('indexer certificate', () => {
  let index: IndexUnderTest;
  let folder: string;

  beforeAll(async () => {
    index = await IndexUnderTest.synced({ ...recording('core-3.9'), UNDO_DEPTH: '100' });
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-certificate-'));
  });

  afterAll(async () => {
    await index.close();
    await rm(folder, { recursive: true });
  });

  it('has the same bytes after blocks were undone and indexed again, and from the database of a node', async () => {
    const { code, stdout, stderr } = await index.command('certificate');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ height: RECORDED_HEAD });
    expect(stderr).toMatch(/Block 322 can still be undone by a fork/);

    await index.command('rollback', '--to', '300', '--yes');
    expect((await index.pool.query('SELECT FROM certificates')).rows).toEqual([]);
    await index.command('sync');
    const file = join(folder, 'certificate.json');
    expect(await index.command('certificate', '--out', file)).toMatchObject({
      code: 0,
      stdout: `Wrote the certificate of height ${RECORDED_HEAD} to ${file}.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(stdout);
    expect(await readdir(folder)).toEqual(['certificate.json']);

    const node = await createEmptyDatabase();
    await loadCoreDatabase(node.url, 'core-3.9');
    const settings = { ...recording('core-3.9'), BLOCK_SOURCE: node.url, HISTORY: 'full' };
    const other = await IndexUnderTest.synced(settings);
    expect(await other.command('certificate', '--height', String(RECORDED_HEAD))).toMatchObject({ stdout });
    await other.close();
    await node.drop();
  });

  it.each([
    [['--height', '200'], /Without history, the index knows its accounts from height 222 on, not at 200/],
    [['--height', '400'], /The index is at height 322: there is no block 400/],
    [['--height', 'x'], /--height takes a whole number/],
    [['--out', '/nowhere/at/all'], /\/nowhere\/at\/all cannot be written/],
  ])('refuses %j with a sentence', async (options, sentence) => {
    const { code, stdout, stderr } = await index.command('certificate', ...options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});
