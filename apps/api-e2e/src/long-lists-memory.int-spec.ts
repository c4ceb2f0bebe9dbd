import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestDatabase } from '@roundhouse/testing';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import { addVoters, CROWDED } from './support/many-voters.js';
import { readMetric } from './support/metrics.js';
import { openAnswer, readToEnd } from './support/open-answer.js';
import { plainRequest } from './support/plain-request.js';
import { seedChain, seededDatabase, seedHistory } from './support/seed.js';
import type { DataSource } from 'typeorm';
import { delegates } from './support/hand-made-chain.js';

const MEBIBYTE = 1024 * 1024;

const VOTERS = 100_000;

const CLIENTS = 32;

/** The lists of all clients, made in one piece each, would be 570 MiB. */
const MOST_GROWTH = 150 * MEBIBYTE;

/** API_MEMORY, the limit of an api's container. */
const CONTAINER = 512 * MEBIBYTE;

const ALL = `/api/delegates/voters?publicKey=${CROWDED}`;

/** Almost as many changes of weights as payouts may have. Each of the voters has four. */
const addWeights = async (database: DataSource): Promise<void> => {
  await seedHistory(database);
  await database.query("UPDATE history_votes SET vote = decode($1, 'hex') WHERE account > 1000000", [
    delegates[0]!.publicKey,
  ]);
  await database.query(
    `INSERT INTO history_balances (account, height, balance, locked)
     SELECT 1000000 + i, height, i * height, 0 FROM generate_series(1, 90000) i, generate_series(6, 9) height`,
  );
};

/** As the container starts the api. */
const containerOptions = (): string => {
  const script = readFileSync(new URL('../../../tools/docker/entrypoint.sh', import.meta.url), 'utf8');
  return /NODE_OPTIONS="(--[^$]*)/.exec(script)![1]!;
};

describe('the process of an api that sends long lists', () => {
  let testDatabase: TestDatabase;
  let api: ApiProcess | undefined;

  beforeAll(async () => {
    testDatabase = await seededDatabase(async (database) => {
      await seedChain(database);
      await addVoters(database, VOTERS);
      await addWeights(database);
    });
  });
  afterEach(async () => {
    api?.kill('SIGKILL');
    await api?.ended;
  });
  afterAll(() => testDatabase.drop());

  const start = async (nodeOptions: string): Promise<ApiProcess> => {
    api = await startApiProcess({ DATABASE_URL: testDatabase.url, NODE_OPTIONS: nodeOptions });
    // Not the first answer: that one loads and compiles the code.
    await plainRequest(`${api.url}${ALL}&limit=20000`);
    return api;
  };

  const residentBytes = (of: ApiProcess): Promise<number> => readMetric(of, 'process_resident_memory_bytes');

  /** The most resident memory while `work` is done. */
  const mostDuring = async (running: ApiProcess, work: () => Promise<unknown>): Promise<number> => {
    let most = await residentBytes(running);
    let isDone = false;
    const watching = (async () => {
      for (; !isDone; await wait(50)) most = Math.max(most, await residentBytes(running));
    })();
    await work().finally(() => (isDone = true));
    await watching;
    return most;
  };

  /** The status and the whole text. On a busy machine the api may not read the head in time, and answers 503. */
  const read = async (url: string, coding = 'identity'): Promise<[status: number, list: string | null]> => {
    const headers = { 'Accept-Encoding': coding };
    let answer = await openAnswer(url, headers);
    for (; answer.statusCode === 503; answer = await openAnswer(url, headers)) {
      answer.resume();
      await wait(1000);
    }
    return [answer.statusCode!, await readToEnd(answer)];
  };

  it('needs little memory, however many clients read them', async () => {
    // Node 24 lets more garbage lie than Node 20: with its own limit of new objects the growth was 140 to 175 MiB, not 54 to 70.
    const running = await start('--max-old-space-size=128 --max-semi-space-size=16');
    const before = await residentBytes(running);
    const most = await mostDuring(running, async () => {
      // Each one asks for another list, so that no answer could be shared.
      const answers = Array.from({ length: CLIENTS }, async (_, offset) => {
        const [status, list] = await read(`${running.url}${ALL}&offset=${offset}`);
        return [status, list === null ? 0 : list.split('"balance"').length - 1];
      });
      expect(await Promise.all(answers)).toEqual(
        Array.from({ length: CLIENTS }, (_, offset) => [200, VOTERS - offset]),
      );
    });
    expect(most - before).toBeLessThan(MOST_GROWTH);
  });

  it('stays within the memory of its container, whatever long answers many clients ask for', async () => {
    const running = await start(containerOptions());
    const kinds: readonly ((index: number) => string)[] = [
      (index) => `${ALL}&limit=9999&offset=${index}`,
      (index) => `/api/v1/accounts/getAllAccounts?limit=10000&offset=${index}`,
      (index) => `/api/v1/accounts/getAllAccounts?limit=999&offset=${index}`,
      (index) => `${ALL}&offset=${VOTERS - 20_000 - index}`,
    ];
    const payouts = (index: number): string =>
      `/api/history/delegates/genesis_1/payouts?from=2&to=120&share=${index + 1}`;
    const most = await mostDuring(running, async () => {
      const clients = Array.from({ length: CLIENTS / 2 }, async (_, client) => {
        for (let turn = 0; turn < 4; turn += 1) {
          const index = client * 4 + turn;
          const path = client < 2 ? payouts(index) : kinds[index % kinds.length]!(index);
          const [status] = await read(running.url + path, ['identity', 'gzip', 'br'][client % 3]);
          expect(status).toBe(200);
        }
      });
      await Promise.all(clients);
    });

    expect(most).toBeLessThan(CONTAINER);
  });
});
