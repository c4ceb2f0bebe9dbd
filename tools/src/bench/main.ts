import { resolve } from 'node:path';
import { benchApi } from './api/bench-api.js';
import { BenchUsageError, readOptions } from './bench.config.js';
import { BenchServer } from './bench-server.js';
import { benchIndex } from './index/bench-index.js';
import { saveResults } from './results.js';
import { benchScale } from './scale/bench-scale.js';
import { benchTip } from './tip/bench-tip.js';

const run = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2));
  const server = await BenchServer.start();
  try {
    const { part, resultsFile } = options;
    const isWanted = (one: 'index' | 'tip' | 'api'): boolean => part === one || part === 'all';
    if (isWanted('index')) saveResults(resultsFile, { index: await benchIndex(server, options) });
    if (isWanted('tip')) saveResults(resultsFile, await benchTip(server, options));
    if (isWanted('api')) saveResults(resultsFile, { api: await benchApi(server, options) });
    if (part === 'scale') saveResults(resultsFile, { scale: await benchScale(server, options) });
  } finally {
    await server.stop();
  }
  console.log(`\nWritten to ${resolve(options.resultsFile)}; docs/performance.md says how to read it.`);
};

try {
  await run();
} catch (error) {
  console.error(error instanceof BenchUsageError ? error.message : error);
  process.exitCode = 1;
}
