import { COMPARED_TABLES } from '@roundhouse/entities/tables';
import { eventually } from '@roundhouse/testing';
import type { ComposeStack } from './compose-stack.js';
import { linesOf, run } from './shell.js';

/** How many `indexer digest` lists: those of the tables, and that of the whole. */
export const DIGESTS = COMPARED_TABLES.length + 1;

/** The digests of the tables, in what the command `digest` and Compose wrote. */
export const digestsIn = (text: string): string[] =>
  linesOf(text).filter((line) => /^[0-9a-f]{64} {2}\w+$/.test(line));

/**
 * Indexes the stack's devnet into another database, from nothing and without disturbance, and returns the digests of
 * its tables.
 */
export const indexUndisturbed = async (
  stack: ComposeStack,
  version: string,
  height: number,
): Promise<string[]> => {
  const password = await stack.exec('postgres', 'cat', '/run/secrets/password');
  const environment = {
    DATABASE_URL: `postgres://roundhouse:${password}@postgres:5432/undisturbed`,
    BLOCK_SOURCE: 'http://devnet:4200',
    HISTORY: 'full',
  };
  const name = `${stack.project}-undisturbed`;
  const settings = Object.entries(environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const common = ['--network', `${stack.project}_back`, ...settings, `roundhouse:${version}`];
  const once = (...command: string[]): Promise<string> =>
    run('docker', ['run', '--rm', ...common, ...command]);

  await stack.exec('postgres', 'createdb', '-U', 'roundhouse', 'undisturbed');
  await once('migrate');
  await run('docker', ['run', '-d', '--init', '--name', name, ...common, 'indexer']);
  try {
    const query = [
      'psql',
      '-U',
      'roundhouse',
      '-d',
      'undisturbed',
      '-Atc',
      'SELECT height FROM roundhouse.head',
    ];
    await eventually(
      `the undisturbed index reaches ${height}`,
      async () => (await stack.exec('postgres', ...query)) === String(height),
      120_000,
    );
  } catch (error) {
    throw new Error(await run('sh', ['-c', `docker logs ${name} 2>&1 | tail -20`]), { cause: error });
  } finally {
    await run('docker', ['rm', '-f', '-v', name]);
  }
  return digestsIn(await once('digest'));
};
