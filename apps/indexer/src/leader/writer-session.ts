import type { Socket } from 'node:net';
import type { Client } from 'pg';

interface SessionLimits {
  /** How often this process sends a statement while it has no other, to show that it is alive. */
  readonly beatMs: number;
  /** The server ends the session of a process that sends nothing for this long, which releases the lock. */
  readonly frozenMs: number;
  /** The server ends a statement that takes longer than this. */
  readonly statementMs: number;
  /** The server ends a statement that waits longer than this for a lock. */
  readonly lockMs: number;
  /** A server that sends nothing for this long is taken to hang, so no statement may take that long. */
  readonly silentMs: number;
}

const LIMITS: SessionLimits = {
  beatMs: 2_000,
  frozenMs: 10_000,
  statementMs: 120_000,
  lockMs: 60_000,
  silentMs: 150_000,
};

/** The server notices a vanished client within seconds, and only then can another process get the lock. */
const KEEPALIVE = `SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
SET tcp_user_timeout = 6000`;

const settings = ({ frozenMs, statementMs, lockMs }: SessionLimits): string =>
  `${KEEPALIVE}; SET idle_session_timeout = ${frozenMs}; SET idle_in_transaction_session_timeout = ${frozenMs};
   SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}`;

/** Whether the server has answered every statement. The types of pg lack this property. */
const isIdle = (client: Client): boolean =>
  (client as unknown as { readonly readyForQuery: boolean }).readyForQuery;

/**
 * Until the connection ends, neither a frozen process nor a server that hangs keeps the lock for long: regular
 * statements show each side that the other is alive, and a silent side is cut off.
 */
export const guardSession = async (client: Client, limits: SessionLimits = LIMITS): Promise<void> => {
  await client.query(settings(limits));
  const stream = client.connection.stream as Socket;
  let moved = { bytes: 0, at: performance.now() };
  const beat = setInterval(() => {
    if (isIdle(client)) {
      void client.query('SELECT 1').catch(() => undefined);
      moved = { bytes: 0, at: performance.now() };
      return;
    }
    const bytes = stream.bytesRead + stream.bytesWritten;
    if (bytes !== moved.bytes) moved = { bytes, at: performance.now() };
    else if (performance.now() - moved.at > limits.silentMs) stream.destroy();
  }, limits.beatMs).unref();
  client.once('end', () => clearInterval(beat));
};
