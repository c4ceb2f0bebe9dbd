import { closeSync, openSync } from 'node:fs';
import { BlockedPipe } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { RECORDED_HEAD, recording } from './recording.js';

describe('an indexer whose log cannot be written', () => {
  const expectService = async (stdout: number): Promise<void> => {
    const index = await IndexUnderTest.create('postgres', recording('core-3.9'));
    const process = index.run({ LOG_LEVEL: 'trace' }, stdout);
    await index.reach(RECORDED_HEAD, process);
    expect((await fetch(`${process.operationsUrl}/health/live`)).status).toBe(200);
    await process.untilReady();
    const metrics = await (await fetch(`${process.operationsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^roundhouse_log_lines_dropped_total \d+$/m);
    const start = performance.now();
    expect((await process.kill('SIGTERM')).code).toBe(0);
    expect(performance.now() - start).toBeLessThan(20_000);
    await index.close();
  };

  it('indexes as usual, is live, and stops in time if the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    await expectService(full);
    closeSync(full);
  });

  it('indexes as usual, is live, and stops in time if nobody reads the pipe', async () => {
    const pipe = new BlockedPipe();
    await expectService(pipe.descriptor);
    expect(pipe.read()).not.toContain('{');
    pipe.close();
  });
});
