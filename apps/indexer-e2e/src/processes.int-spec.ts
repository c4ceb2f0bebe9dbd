import { IndexUnderTest, queueBackends } from './index-under-test.js';
import { RECORDED_HEAD, recording } from './recording.js';

const lines = ['core-2.4', 'core-3.9'] as const;

describe('indexer processes', () => {
  /** The digest of a first, plain run, by recording; every other way to index it must give the same digest. */
  const digests = new Map<string, string>();

  const expectSameDigest = async (line: string, index: IndexUnderTest): Promise<void> => {
    const digest = await index.digest();
    expect(digest).toMatch(/^([0-9a-f]{64} {2}\w+\n)+$/);
    const expected = digests.get(line);
    if (expected === undefined) digests.set(line, digest);
    else expect(digest).toBe(expected);
  };

  describe.each(lines)('index the recording of %s', (line) => {
    it.each(queueBackends)('with queues on %s, and stop cleanly', async (backend) => {
      const index = await IndexUnderTest.create(backend, recording(line));
      const run = index.run();
      await index.reach(RECORDED_HEAD, run);
      await expectSameDigest(line, index);
      const [end] = await index.close();
      expect(end).toMatchObject({ code: 0, stderr: '' });
      expect(end!.stdout).toMatch(/caught up/);
    });

    it('two side by side, in batches of 7', async () => {
      const index = await IndexUnderTest.create('postgres', { ...recording(line), APPLY_BATCH_BLOCKS: '7' });
      await index.reach(RECORDED_HEAD, index.run(), index.run());
      await expectSameDigest(line, index);
      await index.close();
    });
  });

  it.each(queueBackends)('survive a kill -9 of the one that writes, with queues on %s', async (backend) => {
    const index = await IndexUnderTest.create(backend, { ...recording('core-3.9'), APPLY_BATCH_BLOCKS: '5' });
    const first = index.run();
    await index.reach(1, first);
    const second = index.run();
    await first.kill('SIGKILL');
    await index.reach(RECORDED_HEAD, second);
    await expectSameDigest('core-3.9', index);
    await index.close();
  });
});
