import { OperatorError } from '@roundhouse/config';
import { DatabaseError } from 'pg';

/** What keeps PostgreSQL from working, and what helps. In all these cases nothing is lost, and trying again is right. */
const TROUBLES: readonly (readonly [sqlState: RegExp, advice: string])[] = [
  [/^53100$/, "the database's disk is full: make room on it"],
  [/^53200$/, 'the database has no memory left: give it more, or allow fewer connections'],
  [/^53300$/, 'the database takes no more connections: end some, or raise its max_connections'],
  [/^53/, 'the database is at one of its limits'],
  [
    /^25006$/,
    'the database is read-only: name the primary in DATABASE_URL, not a replica; if it is the primary, turn default_transaction_read_only off for it and for the role',
  ],
  [/^57P0[1-5]$/, 'the database is stopping, starting or was told to end this connection'],
  [/^58/, "the database's disk or system fails: read its log"],
  [/^57014$/, 'a statement took too long: check what the database is busy with'],
  [/^55P03$/, 'a lock was not released in time: check who holds it (pg_locks)'],
  [/^40(001|P01)$/, 'two transactions blocked each other'],
  [/^(08|E[A-Z]+$)/, 'the database cannot be reached: check that it runs'],
];

/** No waiting helps against this. */
const INSUFFICIENT_PRIVILEGE = '42501';
const NAME_ANOTHER_ROLE =
  "the role in DATABASE_URL lacks a right: name the owner of the tables, or the indexer's role; --help of each command says which";

/** pg gives no code if a connection breaks or one of its own time limits expires. */
const BROKEN_CONNECTION = /^(connection terminated|timeout e|query read timeout|client )/i;

/** What to do about an error that ends when PostgreSQL works again; null for any other error. */
export const adviceFor = (error: Error & { readonly code?: unknown }): string | null => {
  const code = typeof error.code === 'string' ? error.code : '';
  const trouble = TROUBLES.find(([sqlState]) => sqlState.test(code));
  if (trouble) return trouble[1];
  return BROKEN_CONNECTION.test(error.message) ? 'the database cannot be reached: check that it runs' : null;
};

/** The error's message, and what helps if that is known. */
export const withAdvice = (error: Error): string => {
  const { message, code } = error as Error & { readonly code?: string };
  const advice = code === INSUFFICIENT_PRIVILEGE ? NAME_ANOTHER_ROLE : adviceFor(error);
  const reason = message || code || 'no reason given';
  return advice === null ? reason : `${reason} (${advice})`;
};

/** An error of PostgreSQL that a command has met, as a sentence that says what helps; any other error unchanged. */
export const explained = (error: unknown): unknown => {
  // TypeORM wraps it.
  const refusal = (error as { readonly driverError?: unknown } | null)?.driverError ?? error;
  if (!(refusal instanceof DatabaseError) || withAdvice(refusal) === refusal.message) return error;
  return new OperatorError(`PostgreSQL refuses this: ${withAdvice(refusal)}.`, { cause: error });
};
