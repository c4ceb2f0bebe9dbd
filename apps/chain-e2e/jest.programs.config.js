import { preset, reportersOf } from '../../jest.preset.js';

/** Not part of `npm test`, which needs no npm registry. */
export default {
  ...preset,
  displayName: 'programs',
  testRegex: '[.]program-spec\\.ts$',
  globalSetup: '<rootDir>/apps/chain-e2e/launch/global-setup.mjs',
  globalTeardown: '<rootDir>/apps/chain-e2e/launch/global-teardown.mjs',
  reporters: reportersOf('programs'),
  testTimeout: 300_000,
  maxWorkers: 2,
};
