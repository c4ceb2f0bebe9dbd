import js from '@eslint/js';
import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import importX from 'eslint-plugin-import-x';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// The boundary rule reads nx's graph from a cache, and is silently skipped if there is none.
await createProjectGraphAsync({ exitOnError: false });

const scope = (name) => `scope:${name}`;

/**
 * Who may import whom, by the tags in each package.json; docs/architecture.md draws it. All other imports are
 * forbidden.
 */
const mayImport = {
  chain: [],
  blocks: ['chain'],
  config: [],
  logging: [],
  telemetry: ['config'],
  operations: ['logging'],
  'local-postgres': [],
  'core-node': ['chain'],
  forging: ['chain', 'blocks'],
  entities: ['chain'],
  source: ['chain', 'blocks', 'config', 'telemetry'],
  jobs: ['chain', 'config', 'telemetry'],
  dto: ['chain'],
  client: [],
  web: ['client'],
  readers: ['chain', 'config', 'entities'],
  storage: ['chain', 'blocks', 'entities'],
  api: ['chain', 'config', 'logging', 'operations', 'telemetry', 'entities', 'readers', 'dto', 'web'],
  indexer: [
    'chain',
    'blocks',
    'config',
    'logging',
    'operations',
    'telemetry',
    'entities',
    'storage',
    'source',
    'jobs',
    'local-postgres',
  ],
  devnet: ['chain', 'blocks', 'config', 'logging', 'source', 'core-node', 'forging'],
  start: ['config', 'local-postgres'],
  // The simulation is a test.
  tools: ['chain', 'config', 'client', 'entities', 'storage', 'source', 'local-postgres', 'testing'],
  testing: ['chain', 'blocks', 'entities', 'local-postgres', 'core-node', 'forging'],
};

/** Specs may also use the testing library; end-to-end projects may import everything. */
const constraints = (extra) => [
  ...Object.entries(mayImport).map(([name, others]) => ({
    sourceTag: scope(name),
    onlyDependOnLibsWithTags: [name, ...others, ...extra].map(scope),
  })),
  { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['type:lib', 'type:app'] },
];

const boundaries = (extra) => [
  'error',
  {
    depConstraints: constraints(extra),
    // The compiler's project references define the build order; nx has no build executors.
    enforceBuildableLibDependency: false,
    banTransitiveDependencies: false,
    // Specs use the testing library, which uses the library under test.
    ignoredCircularDependencies: [['*', '@roundhouse/testing']],
    allow: [],
  },
];

/** Other packages import only a project's index. Only end-to-end projects import an app. */
const inside = {
  // Threads need entries that load much faster than the whole index. The tables are apart from the migrations, and the
  // answers of Core's versions are apart from the contract.
  regex: '^@roundhouse/(?!source/segments$|storage/rows$|entities/(forms|sql|tables)$|dto/core-v[12]$)[^/]+/',
  message: 'Import the index: what it does not export is private.',
};
const anApp = {
  regex: '^@roundhouse/(api|indexer|devnet|start|tools)$',
  message: 'Only end-to-end projects import an app.',
};

const theBorder = {
  regex: '/http/',
  message: 'http/ uses answers/, not the other way round.',
};

const environmentIsRead = {
  object: 'process',
  property: 'env',
  message: 'Only main.ts reads the environment: take the setting as an argument.',
};

const BROWSER_RESOLVES_NO_NAMES =
  'The browser loads these modules and resolves no package: import types only.';

const specs = ['**/*spec.ts', '**/*.harness.ts', 'apps/*-e2e/**/*.ts'];

export default defineConfig(
  globalIgnores(['**/dist/', '**/node_modules/', '.nx/', '.data/', 'reports/', 'coverage/']),
  js.configs.recommended,
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', fetch: 'readonly' },
    },
  },
  {
    // Runs in the browser, in the head of the page.
    files: ['libs/web/assets/*.js'],
    languageOptions: { globals: { document: 'readonly', localStorage: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked, importX.flatConfigs.typescript],
    plugins: { 'import-x': importX },
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.check.json', './libs/web/tsconfig.browser.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true, allowWithDecorator: true }],
      // An implementation may be async only because its interface is.
      '@typescript-eslint/require-await': 'off',
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'no-restricted-imports': ['error', { patterns: [inside, anApp] }],
      'no-restricted-properties': ['error', environmentIsRead],
    },
    settings: {
      'import-x/resolver-next': [
        importX.createNodeResolver({ extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } }),
      ],
    },
  },
  {
    files: ['libs/web/src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['@roundhouse/*'], allowTypeImports: true, message: BROWSER_RESOLVES_NO_NAMES },
          ],
        },
      ],
    },
  },
  {
    files: ['**/main.ts', 'tools/**/*.ts', 'libs/testing/**/*.ts', ...specs],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // `print` of @roundhouse/logging escapes what comes from outside.
    files: ['apps/{api,indexer}/src/**/*.ts', 'libs/**/*.ts'],
    ignores: ['libs/logging/src/print.ts', 'libs/testing/**', 'libs/client/**', ...specs],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['{apps,libs}/**/*.ts'],
    ignores: ['libs/config/src/open-pool.ts', 'libs/testing/**', ...specs],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression:matches([callee.name='Pool'], [callee.property.name='Pool'])",
          message: 'Use openPool: a connection that is lost while it is in use would end the process.',
        },
      ],
    },
  },
  {
    files: ['{apps,libs,tools}/**/*.ts'],
    plugins: { '@nx': nx },
    rules: { '@nx/enforce-module-boundaries': boundaries([]) },
  },
  {
    files: specs,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(['testing']),
      // expect.any() and friends are typed any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    files: ['apps/api/src/answers/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [inside, anApp, theBorder] }] },
  },
  {
    files: ['apps/*-e2e/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [inside] }] },
  },
  prettier,
);
