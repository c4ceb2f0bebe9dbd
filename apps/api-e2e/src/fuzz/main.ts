import { parseArgs } from 'node:util';
import { wholeNumberOf } from '@roundhouse/config';
import { startApiProcess } from '../support/api-process.js';
import { seededDatabase } from '../support/seed.js';
import { casesOf, fuzz } from './fuzz.js';
import { EVENLY_USED_MEMORY, MemoryWatch } from './memory-watch.js';

const USAGE = 'npm run fuzz -- [--seed N] [--requests M] [--from I]';

interface TestServers {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const loadServers = async (): Promise<TestServers> => {
  const load = async (name: string): Promise<() => Promise<void>> => {
    const address = new URL(`../../../../tools/jest/global-${name}.mjs`, import.meta.url).href;
    return ((await import(address)) as { default: () => Promise<void> }).default;
  };
  return { start: await load('setup'), stop: await load('teardown') };
};

const wholeNumber = (name: string, text: string): number => {
  const number = wholeNumberOf(text, 0);
  if (number === null) throw new Error(`--${name} must be a whole number: ${USAGE}`);
  return number;
};

const run = async (seed: number, requests: number, from: number): Promise<boolean> => {
  const testDatabase = await seededDatabase();
  const api = await startApiProcess({ DATABASE_URL: testDatabase.url, ...EVENLY_USED_MEMORY });
  try {
    const memory = new MemoryWatch(api.operationsUrl);
    const every = Math.max(1, Math.floor(requests / 20));
    const report = await fuzz(api.url, casesOf(seed, requests, from), (done) => {
      if (done % every !== 0) return;
      console.log(`${done} requests`);
      memory.note();
    });
    for (const { index, sent, faults } of report.findings.slice(0, 20)) {
      console.log(`\nseed ${seed}, request ${index}: ${faults.join('; ')}\n  ${sent}`);
      console.log(`  again: npm run fuzz -- --seed ${seed} --from ${index} --requests 1`);
    }
    const statuses = [...report.statuses].sort(([a], [b]) => a - b);
    console.log(
      `\nresponses by status: ${statuses.map(([status, count]) => `${status}: ${count}`).join(', ')}`,
    );
    const growth = await memory.growth();
    console.log(`memory: ${growth.text}`);
    const { length } = report.findings;
    console.log(
      `seed ${seed}: ${report.requests} requests, ${length} of them answered wrongly${growth.isFlat ? '' : ', memory grows'}`,
    );
    return length === 0 && growth.isFlat;
  } finally {
    api.kill('SIGTERM');
    await api.ended;
    await testDatabase.drop();
  }
};

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '5000' },
    from: { type: 'string', default: '0' },
  },
});
const seed = wholeNumber('seed', values.seed);
const requests = wholeNumber('requests', values.requests);
const from = wholeNumber('from', values.from);
const servers = await loadServers();
await servers.start();
try {
  if (!(await run(seed, requests, from))) process.exitCode = 1;
} finally {
  await servers.stop();
}
