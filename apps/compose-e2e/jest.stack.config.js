import { fileURLToPath } from 'node:url';
import { project } from '../../jest.preset.js';

const inWorkspace = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Not named jest.config.js, so that `npm test`, which needs no Docker, passes it by. */
export default {
  ...project('compose-e2e', import.meta.url),
  testRegex: '[.]stack-spec\\.ts$',
  reporters: ['default', [inWorkspace('tools/jest/summary-reporter.mjs'), { name: 'stack' }]],
  // Building the image on a slow machine is the longest step.
  testTimeout: 900_000,
  maxWorkers: 1,
};
