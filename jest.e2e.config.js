import base from './jest.config.js';

/** `npm run test:e2e`: the projects whose tests run whole programs. */
export default {
  ...base,
  projects: ['<rootDir>/{apps,libs}/*/jest.e2e.config.js'],
  reporters: ['default', ['<rootDir>/tools/jest/summary-reporter.mjs', { name: 'e2e' }]],
};
