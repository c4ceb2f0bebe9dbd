export default {
  projects: [
    '<rootDir>/libs/*/jest.config.js',
    '<rootDir>/apps/*/jest.config.js',
    '<rootDir>/tools/jest.config.js',
  ],
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  reporters: ['default', '<rootDir>/tools/jest/summary-reporter.mjs'],
  maxWorkers: 2,
};
