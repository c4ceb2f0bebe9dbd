import { join } from 'node:path';
import type { LocalPostgres } from '@roundhouse/local-postgres';
import { startLocalPostgres } from '@roundhouse/local-postgres';
import { everythingStops } from './launcher.error.js';
import { shortPath, showPhase } from './screen.js';

export interface Database {
  readonly url: string;
  /** Settles when the embedded server has ended; rejects with `LauncherError` if it ended by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const describe = (asked: string, postgres: LocalPostgres): string => {
  const place = `embedded PostgreSQL in ${shortPath(postgres.directory)}`;
  return postgres.directory === asked
    ? place
    : `${place}, because the database's user cannot work in ${shortPath(asked)}`;
};

/** Opens the given database, or the embedded one in the data folder. */
export const openDatabase = async (given: string | undefined, dataFolder: string): Promise<Database> => {
  if (given !== undefined) {
    showPhase('database', `DATABASE_URL (${new URL(given).host})`);
    return { url: given, ended: new Promise(() => undefined), stop: async () => undefined };
  }
  const asked = join(dataFolder, 'postgres');
  const postgres = await startLocalPostgres({ directory: asked });
  showPhase('database', describe(asked, postgres));
  const ended = postgres.ended.catch((error: Error) => {
    throw everythingStops(error.message, error);
  });
  // A rejection that nobody awaits must not end the launcher.
  ended.catch(() => undefined);
  return { url: postgres.url, ended, stop: () => postgres.stop() };
};
