import { preset, reportersOf } from './jest.preset.js';

/** These run whole programs, or start and kill servers. */
const PROCESSES = [
  'apps/(chain|indexer|stack)-e2e/',
  'apps/indexer/src/scenarios/',
  'libs/local-postgres/',
  'tools/src/new-endpoint/',
  'apps/api-e2e/src/(blocked-log|client|front|fuzz|graceful-stop|hostile-clients|long-lists|long-lists-memory)\\.',
  'apps/api-e2e/src/(page-load|pgbouncer|replica|sql-view-plans|statement-plans|traces)\\.',
].join('|');

/** Other runs have the tests that need Docker, a browser or the npm registry: `.stack-spec.ts`, `.browser-spec.ts`, `.program-spec.ts`. */
const SPEC = '[.-]spec\\.ts$';

export default {
  projects: [
    // npm test
    { ...preset, displayName: 'test', testRegex: `^(?!.*(${PROCESSES})).*(?<!stack|browser|program)${SPEC}` },
    // npm run test:e2e
    { ...preset, displayName: 'e2e', testRegex: `(${PROCESSES}).*(?<!program)${SPEC}` },
  ],
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  reporters: reportersOf('tests'),
  // The only time limit of all tests. They wait for conditions, and a busy machine is no failure.
  testTimeout: 300_000,
  // npm test sets 3: its suites wait now and then, and whole processes need the cores themselves.
  maxWorkers: 2,
  // On Node 20 and 22, each suite leaves a hook behind that delays every promise of the later ones, and 20 MB: jest 30 keeps an
  // AsyncLocalStorage per suite. Above this size, a new process takes the place of a worker.
  workerIdleMemoryLimit: '800MB',
};
