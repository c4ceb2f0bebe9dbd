import type { Socket } from 'node:net';
import type { Client } from 'pg';

interface SessionLimits {
  /** How often the server is shown that this process lives, while nothing else is asked of it. */
  readonly beatMs: number;
  /** The server ends the session of a process that shows nothing for so long, and gives its lock to another. */
  readonly frozenMs: number;
  /** The server ends a statement that takes longer. */
  readonly statementMs: number;
  /** And one that waits so long for somebody else's lock. */
  readonly lockMs: number;
  /** A server that answers nothing for so long hangs: longer than any statement may take. */
  readonly silentMs: number;
}

const LIMITS: SessionLimits = {
  beatMs: 2_000,
  frozenMs: 10_000,
  statementMs: 120_000,
  lockMs: 60_000,
  silentMs: 150_000,
};

/** A peer that is gone without a word is known within seconds: only then does the server give the lock to another. */
const KEEPALIVE = `SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
SET tcp_user_timeout = 6000`;

const settings = ({ frozenMs, statementMs, lockMs }: SessionLimits): string =>
  `${KEEPALIVE}; SET idle_session_timeout = ${frozenMs}; SET idle_in_transaction_session_timeout = ${frozenMs};
   SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}`;

/** Whether the server has answered everything; pg knows, and its types do not. */
const isIdle = (client: Client): boolean =>
  (client as unknown as { readonly readyForQuery: boolean }).readyForQuery;

/**
 * Sees to it that neither a frozen process nor a server that hangs keeps the lock for long: each is shown to the other
 * by a beat, and what shows no more is cut off. Until the connection ends.
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
