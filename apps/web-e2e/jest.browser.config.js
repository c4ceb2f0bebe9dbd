import { preset, reportersOf } from '../../jest.preset.js';

/** Not part of `npm test`, which needs no browser. */
export default {
  ...preset,
  displayName: 'web-e2e',
  testRegex: '[.]browser-spec\\.ts$',
  globalSetup: '<rootDir>/apps/web-e2e/launch/global-setup.mjs',
  globalTeardown: '<rootDir>/apps/web-e2e/launch/global-teardown.mjs',
  reporters: reportersOf('browser'),
  testTimeout: 300_000,
  // All tests share one stack: each sees what earlier ones did to the chain.
  maxWorkers: 1,
};
