import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How tests compile the sources, here and in tools/jest/typescript-hooks.mjs. */
export const swcOptions = (type) => ({
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type },
  sourceMaps: 'inline',
});

/** The jest configuration of one project, from its name and the URL of its jest.config.js. */
export const project = (displayName, configUrl) => ({
  displayName,
  rootDir: `${dirname(fileURLToPath(configUrl))}/src`,
  testEnvironment: 'node',
  testRegex: '[.-]spec\\.ts$',
  testEnvironmentOptions: { customExportConditions: ['@roundhouse/source', 'node', 'node-addons'] },
  moduleFileExtensions: ['ts', 'js', 'json'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', swcOptions('es6')],
    // light-my-request and @fastify/static require these packages, which are ESM only.
    '/node_modules/(cookie|content-disposition)/.+\\.js$': [
      '@swc/jest',
      { swcrc: false, jsc: { target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(.*/)?(cookie|content-disposition)/)'],
});
