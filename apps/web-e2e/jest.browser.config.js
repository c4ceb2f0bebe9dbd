import { fileURLToPath } from 'node:url';
import { project } from '../../jest.preset.js';

const inWorkspace = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Not named jest.config.js, so that `npm test`, which needs no browser, passes it by. */
export default {
  ...project('web-e2e', import.meta.url),
  testRegex: '[.]browser-spec\\.ts$',
  globalSetup: inWorkspace('apps/web-e2e/launch/global-setup.mjs'),
  globalTeardown: inWorkspace('apps/web-e2e/launch/global-teardown.mjs'),
  reporters: ['default', [inWorkspace('tools/jest/summary-reporter.mjs'), { name: 'browser' }]],
  testTimeout: 300_000,
  // All tests share one stack: each sees what earlier ones did to the chain.
  maxWorkers: 1,
};
