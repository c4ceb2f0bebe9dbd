export default {
  projects: [
    '<rootDir>/libs/*/jest.config.js',
    '<rootDir>/apps/*/jest.config.js',
    '<rootDir>/tools/jest.config.js',
  ],
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  reporters: ['default', '<rootDir>/tools/jest/summary-reporter.mjs'],
  // The only time limit of all tests. They wait for conditions, and a busy machine is no failure.
  testTimeout: 300_000,
  maxWorkers: 2,
  // On Node 20 and 22, each suite leaves a hook behind that delays every promise of the later ones, and 20 MB: jest 30 keeps an
  // AsyncLocalStorage per suite. Above this size, a new process takes the place of a worker.
  workerIdleMemoryLimit: '800MB',
};
