import { apiSettings, createApiApp, type ApiSettings, type RunningApi } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { createLogger } from '@roundhouse/logging';

/** Starts the api like `main`, on free ports, with settings by their names. */
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
