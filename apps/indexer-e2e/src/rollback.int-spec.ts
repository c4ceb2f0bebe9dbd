import { IndexUnderTest } from './index-under-test.js';
import type { Ended } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

const UNDO_DEPTH = 120;
/** Several rounds below the head. */
const TARGET = RECORDED_HEAD - UNDO_DEPTH;

describe('indexer rollback', () => {
  let index: IndexUnderTest;
  let whole: string;

  const rollback = (...options: string[]): Promise<Ended> => index.command('rollback', ...options);

  const expectRefusal = async (options: readonly string[], stderr: unknown): Promise<void> => {
    expect(await rollback(...options)).toMatchObject({ code: 1, stderr });
  };

  beforeAll(async () => {
    index = await IndexUnderTest.create('postgres', {
      ...recording('core-3.9'),
      UNDO_DEPTH: String(UNDO_DEPTH),
    });
  });

  afterAll(() => index.close());

  it('refuses an invalid height, and an index without blocks', async () => {
    for (const to of ['0', '-1', '1e2', 'abc', ''])
      await expectRefusal(
        [`--to=${to}`, '--yes'],
        expect.stringMatching(/^Say which block becomes the head: "indexer rollback --to HEIGHT --yes"/),
      );
    await expectRefusal(['--to', '1', '--yes'], 'The index is empty: there is nothing to undo.\n');
  });

  it('is refused while an indexer writes, and without --yes', async () => {
    const run = index.run();
    await index.reach(RECORDED_HEAD, run);
    await expectRefusal(
      ['--to', String(TARGET), '--yes'],
      'An indexer is writing to this database: stop it first.\n',
    );
    await expectRefusal(
      ['--to', String(TARGET)],
      expect.stringContaining(`say "indexer rollback --to ${TARGET} --yes"`),
    );
    await run.kill('SIGTERM');
    expect(await index.height()).toBe(RECORDED_HEAD);
    whole = await index.digest();
  });

  it('says how many before-images are kept and what helps if a height is out of reach', async () => {
    await expectRefusal(
      ['--to', String(TARGET - 1), '--yes'],
      `The index cannot go back to height ${TARGET - 1}: before-images are kept for the ${UNDO_DEPTH} blocks above height ` +
        `${TARGET}. Go back to ${TARGET} or higher, or first run "indexer rebuild" with UNDO_DEPTH=${UNDO_DEPTH + 1} or ` +
        `more, which makes before-images from the stored blocks.\n`,
    );
    expect(await index.digest()).toBe(whole);
  });

  it('gives the index of a chain that never went further, from which an indexer continues', async () => {
    expect(await rollback('--to', String(TARGET), '--yes')).toEqual({
      code: 0,
      signal: null,
      stdout: `The head is block ${TARGET}; ${UNDO_DEPTH} blocks are undone.\n`,
      stderr: '',
    });
    await expectRefusal(
      ['--to', String(RECORDED_HEAD), '--yes'],
      `The index is at height ${TARGET}: there is no block ${RECORDED_HEAD} to go back to.\n`,
    );
    const straight = await IndexUnderTest.synced(recording('core-3.9'), '--to', String(TARGET));
    expect(await index.digest()).toBe(await straight.digest());
    await straight.close();
    expect(await index.command('sync')).toMatchObject({ code: 0 });
    expect(await index.digest()).toBe(whole);
  });
});
