import { jest } from '@jest/globals';
import { apiSettings, createApiApp, type ApiSettings, type RunningApi } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { createLogger } from '@roundhouse/logging';

// A machine that does other work at the same time takes longer to start a database and an api.
jest.setTimeout(30_000);

/** Starts the api as `main` does, on free ports, with settings by their names. */
export const startApi = async (
  databaseUrl: string,
  environment: Partial<Record<keyof ApiSettings, string>> = {},
): Promise<RunningApi> => {
  const settings = readSettings(apiSettings, {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  return createApiApp(settings, await createLogger(settings.LOG_LEVEL, false));
};
