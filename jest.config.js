export default {
  projects: [
    '<rootDir>/libs/*/jest.config.js',
    '<rootDir>/apps/*/jest.config.js',
    '<rootDir>/tools/jest.config.js',
  ],
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  reporters: ['default', '<rootDir>/tools/jest/summary-reporter.mjs'],
  // Generous, because tests wait for conditions and a busy machine must not fail them.
  testTimeout: 60_000,
  maxWorkers: 2,
};
