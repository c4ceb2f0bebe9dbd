import { readSettings } from '@roundhouse/config';
import { databaseCommandSettings, type DatabaseSettings } from '../indexer.config.js';
import type { Environment } from './command.js';

/** What every command needs that works on the index alone. Throws `SettingsError`. */
export const readDatabaseSettings = (environment: Environment): DatabaseSettings =>
  readSettings(databaseCommandSettings, environment);
