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

/** Adds the address of the embedded PostgreSQL that `npm start` runs, if the environment names no database. */
const withDatabase = async (environment: Environment): Promise<Environment> => {
  if (isSet(environment['DATABASE_URL']) || isSet(environment['DATABASE_URL_FILE'])) return environment;
  const { findLocalPostgres } = await import('@roundhouse/local-postgres');
  const dataFolder = isSet(environment['DATA_DIR']) ? environment['DATA_DIR'] : '.data';
  const url = findLocalPostgres(join(dataFolder, 'postgres'));
  if (url !== null) return { ...environment, DATABASE_URL: url };
  throw new OperatorError(
    `DATABASE_URL is not set, and no embedded PostgreSQL runs in ${dataFolder}: set DATABASE_URL, or start it with ` +
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
