import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '@roundhouse/config';
import { sessionOptions } from '@roundhouse/entities';
import { Client } from 'pg';
import { guardSession } from './writer-session.js';

/** Number of the advisory lock of the one writer: the same in all versions. */
export const WRITER_LOCK = 7_466_502;

const TRY_AGAIN_MS = 500;

/** Who may hold the lock. */
export type Writer = 'indexer' | 'sync' | 'rebuild' | 'reset' | 'rollback' | 'snapshot restore';

/** The name of a session that holds the lock, or waits for it. */
const sessionOf = (writer: Writer): string =>
  writer === 'indexer' ? 'roundhouse-writer' : `roundhouse-${writer.replace(' ', '-')}`;

const COMMANDS: readonly Writer[] = ['sync', 'rebuild', 'reset', 'rollback', 'snapshot restore'];

const SELECT_HOLDER = `
SELECT application_name AS session FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND classid = 0 AND objid = ${WRITER_LOCK} AND objsubid = 1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

export interface HeldLock {
  /** The connection that holds the lock: everything that it commits is committed under the lock. */
  readonly client: Client;
  /** Resolves when the connection is lost, and the lock with it. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

const connect = async (
  databaseUrl: string,
  writer: Writer,
): Promise<{ client: Client; lost: Promise<void> }> => {
  const client = new Client({
    connectionString: databaseUrl,
    options: sessionOptions(),
    application_name: sessionOf(writer),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: 5_000,
  });
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });
  await client.connect();
  return { client, lost };
};

/** How long a server may take to end a connection. */
const CLOSE_MS = 1_000;

/** Cuts the connection if a statement is running or the server does not answer; the server then rolls back. */
const close = async (client: Client): Promise<void> => {
  const ended = client.end().catch(() => undefined);
  await Promise.race([ended, wait(CLOSE_MS, undefined, { ref: false })]);
  client.connection.stream.destroy();
};

/** What holds the lock, and what to do. */
const taken = async (client: Client, advice: string): Promise<OperatorError> => {
  const { rows } = await client.query<{ session: string }>(SELECT_HOLDER);
  const command = COMMANDS.find((writer) => sessionOf(writer) === rows[0]?.session);
  return new OperatorError(
    command === undefined
      ? `An indexer is writing to this database: ${advice}.`
      : `"indexer ${command}" is writing to this database: wait until it has ended, or stop it first.`,
  );
};

/**
 * Takes the lock for a command. Throws `OperatorError` if another session holds it; `advice` is what to do if that is an
 * indexer.
 */
export const takeWriterLock = async (
  databaseUrl: string,
  command: Writer,
  advice = 'stop it first',
): Promise<HeldLock> => {
  const { client, lost } = await connect(databaseUrl, command);
  const release = (): Promise<void> => close(client);
  try {
    if (await isTaken(client)) return { client, lost, release };
    throw await taken(client, advice);
  } catch (error) {
    await release();
    throw error;
  }
};

/** Does a command's work under the lock. Throws as `takeWriterLock`. */
export const underWriterLock = async <T>(
  databaseUrl: string,
  command: Writer,
  work: (client: Client) => Promise<T>,
  advice?: string,
): Promise<T> => {
  const lock = await takeWriterLock(databaseUrl, command, advice);
  try {
    return await work(lock.client);
  } finally {
    await lock.release();
  }
};

/** Waits for the lock; null if `signal` ends the wait. Throws if the database cannot be reached. */
export const waitForWriterLock = async (
  databaseUrl: string,
  signal: AbortSignal,
): Promise<HeldLock | null> => {
  const { client, lost } = await connect(databaseUrl, 'indexer');
  // A server that hangs must not delay the stop.
  const leave = (): void => void close(client);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await guardSession(client);
    while (!signal.aborted) {
      if (await isTaken(client)) return { client, lost, release: () => close(client) };
      await wait(TRY_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  } catch (error) {
    if (signal.aborted) return null;
    await close(client);
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
  await close(client);
  return null;
};

const isTaken = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    WRITER_LOCK,
  ]);
  return rows[0]!.taken;
};
