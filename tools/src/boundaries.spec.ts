import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const RULES = ['@nx/enforce-module-boundaries', 'no-restricted-imports'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => RULES.includes(ruleId),
  overrideConfig: { languageOptions: { parserOptions: { project: null } } },
});

/** Returns the lint rules that reject an import planted in an existing file. */
const refusals = async (filePath: string, imported: string): Promise<string[]> => {
  const [result] = await eslint.lintText(`import { planted } from '${imported}';\nplanted();\n`, {
    filePath: join(root, filePath),
  });
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
};

const [BOUNDARY, FACE] = RULES;

const forbidden = [
  ['apps/api/src/main.ts', '@roundhouse/indexer', FACE, 'the api the indexer'],
  ['apps/indexer/src/main.ts', '@roundhouse/api', FACE, 'the indexer the api'],
  ['apps/indexer/src/main.ts', '../../api/src/main.js', BOUNDARY, 'the indexer the api by a path'],
  ['apps/indexer/src/main.ts', '@roundhouse/dto', BOUNDARY, "the indexer the api's contract"],
  ['apps/api/src/main.ts', '@roundhouse/source', BOUNDARY, 'the api the source of blocks'],
  ['apps/api/src/main.ts', '@roundhouse/storage', BOUNDARY, "the api the indexer's queries"],
  ['libs/storage/src/index.ts', '@roundhouse/readers', BOUNDARY, "the indexer's queries the api's"],
  ['apps/api/src/main.ts', '@roundhouse/testing', BOUNDARY, 'an app the testing library'],
  ['apps/indexer/src/main.ts', '@roundhouse/core-node', BOUNDARY, 'the indexer the stand-in of a node'],
  ['apps/start/src/main.ts', '@roundhouse/api', FACE, 'npm start an app that it starts'],
  ['libs/chain/src/index.ts', '@roundhouse/config', BOUNDARY, 'the chain another package of ours'],
  ['libs/storage/src/index.ts', '@roundhouse/api', FACE, 'a library an app'],
  [
    'apps/api/src/main.ts',
    '@roundhouse/storage/dist/writer/index.js',
    FACE,
    'an app the inside of a library',
  ],
  ['apps/api/src/answers/answer.ts', '../http/way.js', FACE, 'the answers the http border'],
  ['libs/entities/src/index.ts', '@roundhouse/storage', BOUNDARY, 'the tables the queries'],
  ['libs/web/src/index.ts', '@roundhouse/dto', BOUNDARY, 'the page the internals of the api'],
];

const allowed = [
  ['apps/api/src/main.ts', '@roundhouse/dto'],
  ['apps/api/src/main.ts', '@roundhouse/web'],
  ['apps/api/src/http/way.ts', '../answers/answer.js'],
  ['apps/indexer/src/main.ts', '@roundhouse/source'],
  ['libs/source/src/index.ts', '@roundhouse/chain'],
  ['libs/entities/src/migrate.int-spec.ts', '@roundhouse/testing'],
];

describe('the boundary between packages', () => {
  it.each(forbidden)('rejects %s importing %s (%s): %s', async (file, imported, rule) => {
    expect(await refusals(file ?? '', imported ?? '')).toContain(rule);
  });

  it.each(allowed)('allows %s to import %s', async (file, imported) => {
    expect(await refusals(file ?? '', imported ?? '')).toEqual([]);
  });
});
