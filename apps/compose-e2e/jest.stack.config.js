import { preset, reportersOf } from '../../jest.preset.js';

/** Not part of `npm test`, which needs no Docker. */
export default {
  ...preset,
  displayName: 'compose-e2e',
  testRegex: '[.]stack-spec\\.ts$',
  reporters: reportersOf('stack'),
  // Building the image on a slow machine is the longest step.
  testTimeout: 900_000,
  maxWorkers: 1,
};
