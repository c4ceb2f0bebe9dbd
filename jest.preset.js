import { spawnSync } from 'node:child_process';
import vm from 'node:vm';
import { swcOptions } from './tools/jest/swc-options.mjs';

// jest runs ES modules only with this flag. `npx jest`, and the editors that call it, get it here.
if (vm.SourceTextModule === undefined) {
  const flags = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'];
  const { status } = spawnSync(process.execPath, [...process.execArgv, ...flags, ...process.argv.slice(1)], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

const ROOT = import.meta.dirname;

/** What a project of jest has, whichever tests it runs. */
export const preset = {
  rootDir: ROOT,
  roots: ['apps', 'libs', 'tools'].map((folder) => `${ROOT}/${folder}`),
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironment: 'node',
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
};

/** The reporters of a run; `name` is the report that .ci/run reads. */
export const reportersOf = (name) => ['default', [`${ROOT}/tools/jest/summary-reporter.mjs`, { name }]];
