import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@roundhouse/testing';
import { casesOf, faultsAfter, fuzz } from './fuzz/fuzz.js';
import { KNOWN_CASES } from './fuzz/known-cases.js';
import { EVENLY_USED_MEMORY, MemoryWatch } from './fuzz/memory-watch.js';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { seededDatabase } from './support/seed.js';

const SEED = 20_171;

/** A new endpoint is tried with fewer (tools/src/new-endpoint). */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 5000);

describe('any request to the api', () => {
  let testDatabase: TestDatabase;
  let api: ApiProcess;
  beforeAll(async () => {
    testDatabase = await seededDatabase();
    api = await startApiProcess({ DATABASE_URL: testDatabase.url, ...EVENLY_USED_MEMORY });
  });
  afterAll(async () => {
    api.kill('SIGTERM');
    expect(await api.ended).toEqual({ code: 0, signal: null });
    await testDatabase.drop();
  });

  it('is answered in the shape and with the status of the contract, reveals nothing internal, and memory stays flat', async () => {
    const memory = new MemoryWatch(api.operationsUrl);
    const report = await fuzz(api.url, casesOf(SEED, REQUESTS), (done) => {
      if (done % (REQUESTS / 20) === 0) memory.note();
    });
    expect(report.findings).toEqual([]);
    expect(report.requests).toBe(REQUESTS);
    // All these statuses occurred, so the model predicts failures as well as answers.
    for (const status of [200, 204, 304, 400, 404, 405, 414, 422, 431]) {
      expect([status, report.statuses.get(status)]).toEqual([status, expect.any(Number)]);
    }
    expect(await memory.growth()).toEqual({ isFlat: true, text: expect.any(String) });
    // None of them was the api's own fault.
    expect(api.lines.filter(({ msg }) => msg === 'a request failed')).toEqual([]);
  });

  it('is answered correctly, also if it was once answered wrongly', async () => {
    const faults = KNOWN_CASES.map(async (known) => [known.sent, await faultsAfter(api.url, known)]);
    expect(await Promise.all(faults)).toEqual(KNOWN_CASES.map(({ sent }) => [sent, []]));
  });
});
