import type { SettingsValues } from '@roundhouse/config';
import { databaseCommandSettings, indexerSettings } from './indexer.config.js';

/** What `status` needs. */
export const statusSettings = {
  ...databaseCommandSettings,
  REDIS_URL: indexerSettings.REDIS_URL,
} as const;

export type StatusSettings = SettingsValues<typeof statusSettings>;
