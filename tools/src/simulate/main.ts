import { appendFileSync } from 'node:fs';
import { stopRequest } from '@roundhouse/local-postgres';
import { CI_SEEDS } from './ci-seeds.js';
import { makePlan, onlyWith, planLine, stepLine, type Plan } from './plan/plan.js';
import { failureLines, recordOf, resultLine } from './report.js';
import { runSeed } from './run-seed.js';
import { readOptions, SimulateUsageError, type SimulateOptions } from './simulate.config.js';
import { findFakeTime } from './world/faketime.js';
import { findRedis } from '@roundhouse/testing';

const NO_FAKE_TIME =
  'The clock of PostgreSQL cannot be set: libfaketime is missing. Install it (Debian: apt-get install faketime).';

const plansOf = ({ seeds, blocks, only }: SimulateOptions): Plan[] => {
  const canHaveRedis = findRedis() !== null;
  const wanted = seeds?.map((seed) => ({ seed, blocks })) ?? CI_SEEDS;
  return wanted.map((each) => {
    const plan = makePlan(each.seed, each.blocks, canHaveRedis);
    return only === null ? plan : onlyWith(plan, only);
  });
};

const runAll = async (options: SimulateOptions): Promise<boolean> => {
  const plans = plansOf(options);
  if (options.isDryRun) {
    for (const plan of plans) console.log([planLine(plan), ...plan.steps.map(stepLine)].join('\n'));
    return true;
  }
  if (findFakeTime() === null) {
    if (process.env['CI'] !== undefined) throw new SimulateUsageError(NO_FAKE_TIME);
    console.log(`${NO_FAKE_TIME} Until then, these disturbances do nothing.`);
  }
  const signal = stopRequest(process.env['npm_lifecycle_event'] === 'simulate');
  const isAlone = plans.length === 1;
  let passed = 0;
  let failed = 0;
  for (const plan of plans) {
    const said: string[] = [];
    const say = (line: string): void => void (isAlone ? console.log(line) : said.push(line));
    const result = await runSeed({ plan, signal, say, keepsFolder: options.keepsFolder });
    if (signal.aborted) {
      console.log('Stopped. Everything is cleaned up.');
      return false;
    }
    if (result.problems.length === 0) passed += 1;
    else {
      failed += 1;
      console.log([...said, ...failureLines(result)].join('\n'));
    }
    console.log(resultLine(result));
    if (options.resultsFile !== null) appendFileSync(options.resultsFile, `${recordOf(result)}\n`);
  }
  if (!isAlone) console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
};

try {
  process.exit((await runAll(readOptions(process.argv.slice(2)))) ? 0 : 1);
} catch (error) {
  console.error(error instanceof SimulateUsageError ? error.message : error);
  process.exit(1);
}
