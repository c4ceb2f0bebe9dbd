import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScratchCopy } from './scratch-copy.js';
import { CHANGES, GENERATED } from './template.js';

/** Those that look at every endpoint, and the endpoint's own. */
const SPECS = [
  'apps/api-e2e/src/(voter-count|openapi|fuzz|statement-plans)',
  'tools/src/(documentation|quoted-tests|generators/(generated-files|client-types))',
];

/** By new statistics alone it is known that the statement of an endpoint is among those with a bound. */
const OTHER_PLANS = '(by (old|wrong) statistics|nonces of version 1|in a first sync|with new indexes)';

/** All tests of the specs but these. */
const TESTS = `^(?!what a statement reads is bounded.*${OTHER_PLANS})`;

const FEWER = { FUZZ_REQUESTS: '1500' };

describe('a new endpoint', () => {
  const files = CHANGES.map(({ file }) => file);
  let copy: ScratchCopy;
  let tests: Promise<string>;

  beforeAll(async () => {
    copy = await ScratchCopy.make();
    for (const change of CHANGES) await copy.apply(change);
    await copy.run('npm', 'run', '--silent', 'generate');
    tests = copy.runWith(FEWER, 'npx', 'jest', '--maxWorkers=1', '--testNamePattern', TESTS, ...SPECS);
    // The checks run meanwhile.
    tests.catch(() => undefined);
  });

  afterAll(async () => {
    await tests.catch(() => undefined);
    await copy.remove();
  });

  it.each([
    ['compiles', ['tsc', '-p', 'tsconfig.check.json']],
    ['has the form of all sources', ['prettier', '--check', ...files]],
    ['keeps the rules of lint', ['eslint', '--max-warnings=0', ...files]],
    ['leaves nothing unused', ['knip']],
  ])('%s', async (_, command) => {
    await copy.run('npx', ...command);
  });

  it('is answered, documented, generated for clients, fuzzed, and its statement is bounded', async () => {
    await tests;
  });

  it('touches six files, and no more after all checks', async () => {
    expect((await copy.changedFiles()).sort()).toEqual([...files, ...GENERATED].sort());
    expect(files.length + GENERATED.length).toBeLessThanOrEqual(6);
  });
});
