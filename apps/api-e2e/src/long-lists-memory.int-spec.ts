import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestDatabase } from '@roundhouse/testing';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { addVoters, CROWDED } from './support/many-voters.js';
import { readMetric } from './support/metrics.js';
import { openAnswer, readToEnd } from './support/open-answer.js';
import { plainRequest } from './support/plain-request.js';
import { seedChain, seededDatabase } from './support/seed.js';

const MEBIBYTE = 1024 * 1024;

const VOTERS = 100_000;

const CLIENTS = 32;

/** The lists of all clients, made in one piece each, would be 570 MiB. */
const MOST_GROWTH = 150 * MEBIBYTE;

const ALL = `/api/delegates/voters?publicKey=${CROWDED}`;

describe('the process of an api that sends long lists', () => {
  let testDatabase: TestDatabase;
  let api: ApiProcess | undefined;

  beforeAll(async () => {
    testDatabase = await seededDatabase(async (database) => {
      await seedChain(database);
      await addVoters(database, VOTERS);
    });
  });
  afterAll(async () => {
    api?.kill('SIGKILL');
    await api?.ended;
    await testDatabase.drop();
  });

  it('needs little memory, however many clients read them', async () => {
    const running = await startApiProcess({
      DATABASE_URL: testDatabase.url,
      // Node 24 lets more garbage lie than Node 20: with its own limit of new objects the growth was 140 to 175 MiB, not 54 to 70.
      NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=16',
    });
    api = running;
    const residentBytes = (): Promise<number> => readMetric(running, 'process_resident_memory_bytes');
    // Not the first answer: that one loads and compiles the code.
    await plainRequest(`${running.url}${ALL}&limit=20000`);
    const before = await residentBytes();
    let most = before;
    let isReading = true;
    const watching = (async () => {
      for (; isReading; await wait(50)) most = Math.max(most, await residentBytes());
    })();
    // Each one asks for another list, so that no answer could be shared.
    const answers = Array.from({ length: CLIENTS }, async (_, offset) => {
      let answer = await openAnswer(`${running.url}${ALL}&offset=${offset}`);
      // On a busy machine the api may not read the head in time. It then answers 503, as to any request.
      for (; answer.statusCode === 503; answer = await openAnswer(`${running.url}${ALL}&offset=${offset}`)) {
        answer.resume();
        await wait(1000);
      }
      const list = await readToEnd(answer);
      return [answer.statusCode, list === null ? 0 : list.split('"balance"').length - 1];
    });
    expect(await Promise.all(answers)).toEqual(
      Array.from({ length: CLIENTS }, (_, offset) => [200, VOTERS - offset]),
    );
    isReading = false;
    await watching;
    expect(most - before).toBeLessThan(MOST_GROWTH);
  });
});
