import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes the counts of a run to a file, for .ci/run; a suite that did not even start counts as a failure. */
export default class SummaryReporter {
  constructor({ rootDir }, { file = join(rootDir, 'reports/tests.json') } = {}) {
    this.file = file;
  }

  async onRunComplete(_, results) {
    const passed = results.numPassedTests;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    await mkdir(dirname(this.file), { recursive: true });
    await writeFile(this.file, `${JSON.stringify({ passed, failed })}\n`);
  }
}
