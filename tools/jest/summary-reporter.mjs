import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the counts of a run to reports/tests.json, for .ci/run; a suite that did not even start counts as a failure. */
export default class SummaryReporter {
  constructor({ rootDir }) {
    this.folder = join(rootDir, 'reports');
  }

  async onRunComplete(_, results) {
    const passed = results.numPassedTests;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, 'tests.json'), `${JSON.stringify({ passed, failed })}\n`);
  }
}
