import { readPosition } from '@roundhouse/storage';
import {
  isBehindPooler,
  NOT_MIGRATED,
  schemaState,
  sessionOptions,
  sessionProblem,
} from '@roundhouse/entities';
import { Client, type ClientConfig } from 'pg';
import { connectionLimits, OperatorError, tlsAdvice } from '@roundhouse/config';

const CONNECT_TIMEOUT_MS = 5_000;

const reasonOf = (error: unknown): string => {
  const { message, code } = error as Error & { code?: string };
  return message || code || String(error);
};

/** In another session than the one that took it, a lock protects nothing and is never released. */
const refusePooler = async (client: Client): Promise<void> => {
  if (!(await isBehindPooler(client))) return;
  throw new OperatorError(
    'DATABASE_URL leads to a connection pooler, but the indexer holds locks in its sessions: name the PostgreSQL server itself. Only the api may use a pooler (DATABASE_POOLER).',
  );
};

/**
 * Throws `OperatorError` if the database cannot be reached, or only through a pooler. Without `limits`, statements may
 * take any time.
 */
export const connectDatabase = async (databaseUrl: string, limits: ClientConfig = {}): Promise<Client> => {
  const client = new Client({
    ...limits,
    connectionString: databaseUrl,
    options: sessionOptions(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: connectionLimits.keepAliveInitialDelayMillis,
  });
  try {
    await client.connect();
  } catch (error) {
    throw new OperatorError(
      `DATABASE_URL cannot be reached (${reasonOf(error)}): ${tlsAdvice(error) ?? 'start PostgreSQL or correct the address, user or password'}.`,
      { cause: error },
    );
  }
  try {
    await refusePooler(client);
    const problem = await sessionProblem(client);
    if (problem !== null) throw new OperatorError(problem);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
};

/** As `connectDatabase`, for long work: a lost connection fails the statement that runs on it, and nothing else. */
export const connectForWork = async (databaseUrl: string, limits: ClientConfig = {}): Promise<Client> => {
  const client = await connectDatabase(databaseUrl, limits);
  client.on('error', () => undefined);
  return client;
};

/** Does work on a connection of its own, as `connectForWork` makes it. `signal` cuts it off. */
export const onDatabase = async <T>(
  databaseUrl: string,
  work: (client: Client) => Promise<T>,
  limits: ClientConfig = {},
  signal?: AbortSignal,
): Promise<T> => {
  const client = await connectForWork(databaseUrl, limits);
  const leave = (): void => cutOff(client);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    signal?.throwIfAborted();
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', leave);
    await client.end();
  }
};

/** The height of the index that is there; null if there is none. */
export const readHeight = (databaseUrl: string): Promise<number | null> =>
  onDatabase(databaseUrl, async (client) => (await readPosition(client)).head?.height ?? null);

/** Ends a connection at once, whatever runs on it; the server rolls back. */
export const cutOff = (client: Client): void => void client.connection.stream.destroy();

/** Throws `OperatorError` unless the database can be reached and has the schema of this version. */
export const checkDatabase = async (databaseUrl: string): Promise<void> => {
  const state = await onDatabase(databaseUrl, schemaState, connectionLimits);
  if ('problem' in state) throw new OperatorError(state.problem);
  if (state.kind === 'older') throw new OperatorError(NOT_MIGRATED);
  if (state.kind === 'newer') {
    throw new OperatorError(
      `The database was migrated by a newer version (it has ${state.unknown.join(', ')}): start the indexer of that version.`,
    );
  }
};
