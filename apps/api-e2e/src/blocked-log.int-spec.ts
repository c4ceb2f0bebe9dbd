import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BlockedPipe, eventually, type TestDatabase } from '@roundhouse/testing';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { readMetric } from './support/metrics.js';
import { seededDatabase } from './support/seed.js';

describe('an api whose log cannot be written', () => {
  let testDatabase: TestDatabase;
  let api: ApiProcess | undefined;
  beforeAll(async () => {
    testDatabase = await seededDatabase();
  });
  afterAll(async () => {
    api?.kill('SIGKILL');
    await api?.ended;
    await testDatabase.drop();
  });

  const start = async (stdout: number): Promise<ApiProcess> => {
    const slow = { SLOW_REQUEST_MS: '1', SLOW_QUERY_MS: '1' };
    api = await startApiProcess({ DATABASE_URL: testDatabase.url, ...slow }, stdout);
    return api;
  };

  const droppedLines = (running: ApiProcess): Promise<number> =>
    readMetric(running, 'roundhouse_log_lines_dropped_total');

  /** Each request counts as slow, so it would be logged. */
  const askTwenty = async ({ url }: { url: string }, turn: number): Promise<void> => {
    const headers = { 'X-Request-Id': 'x'.repeat(128) };
    const statuses = Array.from({ length: 20 }, async (_, index) => {
      const { status } = await fetch(`${url}/api/delegates/search?q=${turn}x${index}`, { headers });
      return status;
    });
    // 503 on a busy machine.
    for (const status of await Promise.all(statuses)) expect([200, 503]).toContain(status);
  };

  const expectService = async (running: ApiProcess): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await askTwenty(running, turn);
    expect((await fetch(`${running.operationsUrl}/health/live`)).status).toBe(200);
    const ready = `${running.operationsUrl}/health/ready`;
    await eventually('it is ready', async () => (await fetch(ready)).status === 200);
  };

  const expectEnd = async (running: ApiProcess): Promise<void> => {
    running.kill('SIGTERM');
    // One that does not stop in time ends with another code.
    expect(await running.ended).toEqual({ code: 0, signal: null });
  };

  it('answers as usual, is live, and stops in time if the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    const running = await start(full);
    await expectService(running);
    await expectEnd(running);
    closeSync(full);
  });

  it('answers as usual, is live, and stops in time if nobody reads the pipe; logs how many lines are missing when it is read again', async () => {
    const pipe = new BlockedPipe();
    const running = await start(pipe.descriptor);
    const dropMore = async (): Promise<void> => {
      const before = await droppedLines(running);
      for (let turn = 0; (await droppedLines(running)) === before; turn += 1) await askTwenty(running, turn);
    };
    await dropMore();
    await expectService(running);
    let log = '';
    await eventually('it says how many lines are missing', () =>
      /"missingLines":[1-9]\d*,.*\n/.test((log += pipe.read())),
    );
    expect(log).toContain('"the api answers"');
    await dropMore();
    await expectEnd(running);
    pipe.close();
  });
});
