import { isAbsolute, join, relative } from 'node:path';
import { migrate } from '@roundhouse/entities';
import type { LocalPostgres } from '@roundhouse/local-postgres';
import { startLocalPostgres } from '@roundhouse/local-postgres';
import { LauncherError } from './launcher.error.js';
import { showPhase } from './screen.js';

export interface Database {
  readonly url: string;
  stop(): Promise<void>;
}

const shortPath = (path: string): string => {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? path : fromHere;
};

const describe = (asked: string, postgres: LocalPostgres): string => {
  const place = `embedded PostgreSQL in ${shortPath(postgres.directory)}`;
  return postgres.directory === asked
    ? place
    : `${place}, since the database's user cannot work in ${shortPath(asked)}`;
};

/** The given database, or the embedded one under the data folder. */
export const openDatabase = async (given: string | undefined, dataFolder: string): Promise<Database> => {
  if (given !== undefined) {
    showPhase('database', `DATABASE_URL (${new URL(given).host})`);
    return { url: given, stop: async () => undefined };
  }
  const asked = join(dataFolder, 'postgres');
  const postgres = await startLocalPostgres({ directory: asked });
  showPhase('database', describe(asked, postgres));
  return { url: postgres.url, stop: () => postgres.stop() };
};

export const updateSchema = async (url: string): Promise<void> => {
  try {
    const done = await migrate(url);
    showPhase('schema', done.length === 0 ? 'up to date' : `${done.length} migrations ran`);
  } catch (cause) {
    const { message, code } = cause as { message: string; code?: string };
    throw new LauncherError(
      `The database cannot be used (${message || code}): check DATABASE_URL, that its server runs and that its user may create tables.`,
      { cause },
    );
  }
};
