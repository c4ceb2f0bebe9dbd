import { join } from 'node:path';
import {
  misspelt,
  OperatorError,
  readSettings,
  type Settings,
  type SettingsValues,
} from '@roundhouse/config';
import { printError } from '@roundhouse/logging';
import { databaseSettings } from '../indexer.config.js';
import type { Environment } from './command.js';

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

let opened: { stop(): Promise<void> } | null = null;

/** Ends the embedded PostgreSQL that a command has started. */
export const closeDatabase = async (): Promise<void> => {
  await opened?.stop();
  opened = null;
};

/** Adds the address of the embedded PostgreSQL of `npm start`, and starts it if need be, if the environment names no database. */
const withDatabase = async (environment: Environment): Promise<Environment> => {
  if (isSet(environment['DATABASE_URL']) || isSet(environment['DATABASE_URL_FILE'])) return environment;
  const { openLocalPostgres } = await import('@roundhouse/local-postgres');
  const dataFolder = isSet(environment['DATA_DIR']) ? environment['DATA_DIR'] : '.data';
  const postgres = await openLocalPostgres(join(dataFolder, 'postgres'));
  opened = postgres;
  if (postgres !== null) return { ...environment, DATABASE_URL: postgres.url };
  throw new OperatorError(
    `DATABASE_URL is not set, and there is no embedded PostgreSQL in ${dataFolder}: set DATABASE_URL, or make one with ` +
      `"npm start" and give this command the same DATA_DIR.`,
  );
};

/** The settings of a command; says which variables are misspelt. Throws `SettingsError`, and `OperatorError` if no database is named and none runs. */
export const readCommandSettings = async <S extends Settings>(
  settings: S,
  environment: Environment,
): Promise<SettingsValues<S>> => {
  printError(...misspelt(settings, environment));
  return readSettings(settings, await withDatabase(environment));
};

/** The settings of a command that works on the index alone. Throws as `readCommandSettings`. */
export const readDatabaseSettings = (
  environment: Environment,
): Promise<SettingsValues<typeof databaseSettings>> => readCommandSettings(databaseSettings, environment);
