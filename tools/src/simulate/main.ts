import { appendFileSync } from 'node:fs';
import { stopRequest } from '@roundhouse/local-postgres';
import { CI_SEEDS } from './ci-seeds.js';
import { makePlan, onlyWith, planLine, stepLine, type Plan } from './plan/plan.js';
import { failureLines, recordOf, resultLine } from './report.js';
import { runSeed } from './run-seed.js';
import { readOptions } from './simulate.config.js';
import { findFakeTime } from './world/faketime.js';
import { findRedis } from '@roundhouse/testing';

const NO_FAKE_TIME =
  'The clock of PostgreSQL cannot be set: libfaketime is missing. Install it (Debian: apt-get install faketime).';

type Options = ReturnType<typeof readOptions>;

const plansOf = ({ seeds, blocks, only }: Options): Plan[] =>
  (seeds?.map((seed) => ({ seed, blocks })) ?? CI_SEEDS).map((each) => {
    const plan = makePlan(each.seed, each.blocks, findRedis() !== null);
    return only === undefined ? plan : onlyWith(plan, only);
  });

const runAll = async (options: Options): Promise<boolean> => {
  const plans = plansOf(options);
  if (options.plan) {
    for (const plan of plans) console.log([planLine(plan), ...plan.steps.map(stepLine)].join('\n'));
    return true;
  }
  if (findFakeTime() === null) {
    console.log(`${NO_FAKE_TIME} Until then, these disturbances do nothing.`);
    if (process.env['CI'] !== undefined) return false;
  }
  const signal = stopRequest(process.env['npm_lifecycle_event'] === 'simulate');
  const isAlone = plans.length === 1;
  let passed = 0;
  let failed = 0;
  for (const plan of plans) {
    const said: string[] = [];
    const say = (line: string): void => void (isAlone ? console.log(line) : said.push(line));
    const result = await runSeed({ plan, signal, say, keepsFolder: options.keep });
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
    if (options.results !== undefined) appendFileSync(options.results, `${recordOf(result)}\n`);
  }
  if (!isAlone) console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
};

process.exit((await runAll(readOptions(process.argv.slice(2)))) ? 0 : 1);
