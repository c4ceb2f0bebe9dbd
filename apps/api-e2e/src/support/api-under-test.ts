import { apiSettings, createApiApp, type ApiSettings, type RunningApi } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { ensureApiRole } from '@roundhouse/entities';
import { createLogger } from '@roundhouse/logging';
import type { LogLine } from '@roundhouse/testing';
import { Client } from 'pg';
import { pino, type Logger } from 'pino';

/** Test files run at the same time on one server, so each process has a role of its own. */
const ROLE = { name: `api_under_test_${process.pid}`, password: 'secret', connectionLimit: 1_000 };

/** The address of the same database with the rights that the api has in production. */
export const asApiRole = async (databaseUrl: string): Promise<string> => {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await ensureApiRole(owner, ROLE);
  } finally {
    await owner.end();
  }
  const url = new URL(databaseUrl);
  url.username = ROLE.name;
  url.password = ROLE.password;
  return url.href;
};

type Environment = Partial<Record<keyof ApiSettings, string>>;

/** Starts the api like `main`, on free ports, with its own role in the database and settings by their names. */
export const startApi = async (databaseUrl: string, environment: Environment = {}): Promise<RunningApi> =>
  startApiAt(await asApiRole(databaseUrl), environment);

/** The same with the role of the address, for a database that is not there or has no tables. */
export const startApiAt = async (
  databaseUrl: string,
  environment: Environment = {},
  logger?: Logger,
): Promise<RunningApi> => {
  const settings = readSettings(apiSettings, {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  return createApiApp(settings, logger ?? (await createLogger(settings.LOG_LEVEL, false)));
};

/** Like `startApi`, with the warnings and errors that it has logged so far. */
export const startLoggedApi = async (
  databaseUrl: string,
  environment: Environment,
): Promise<RunningApi & { readonly lines: readonly LogLine[] }> => {
  const lines: LogLine[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line) as LogLine) });
  return { ...(await startApiAt(await asApiRole(databaseUrl), environment, logger)), lines };
};
