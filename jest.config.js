export default {
  projects: ['<rootDir>/libs/*/jest.config.js', '<rootDir>/apps/*/jest.config.js', '<rootDir>/tools/jest.config.js'],
  maxWorkers: 2,
};
