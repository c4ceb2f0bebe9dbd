import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SHOWN = 15;

const slowest = ({ testResults }) =>
  testResults
    .map(({ perfStats, testFilePath }) => ({
      suite: relative(ROOT, testFilePath),
      seconds: perfStats.runtime / 1_000,
    }))
    .sort((a, b) => b.seconds - a.seconds);

/**
 * Writes a summary of the run to `reports/<name>.json`, which .ci/run reads: the counts and the slowest suites. A
 * suite that did not start counts as one failure.
 */
export default class SummaryReporter {
  constructor(_, { name = 'tests' } = {}) {
    this.name = name;
  }

  async onRunComplete(_, results) {
    const passed = results.numPassedTests;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const suites = slowest(results);
    const seconds = suites.reduce((sum, suite) => sum + suite.seconds, 0);
    const report = { passed, failed, seconds, slowest: suites.slice(0, SHOWN) };
    await mkdir(join(ROOT, 'reports'), { recursive: true });
    await writeFile(join(ROOT, 'reports', `${this.name}.json`), `${JSON.stringify(report)}\n`);
  }
}
