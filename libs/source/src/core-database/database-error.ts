import { tlsAdvice } from '@roundhouse/config';
import { NodeProtocolError, NodeUnavailableError, type UnavailableKind } from '../errors/node-errors.js';

interface DatabaseError extends Error {
  readonly code?: string;
}

const KINDS: Readonly<Record<string, UnavailableKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  // query_canceled: the statement timeout.
  '57014': 'timeout',
};

/**
 * SQLSTATE classes that a retry cannot fix: authorisation, unknown database, unknown table or column, no privilege.
 */
const OPERATORS_MISTAKES = /^(28|3D|42)/;

const CHECK_RIGHTS = 'check the address, the user and its right to SELECT from blocks and transactions';

/** Translates the error of a failed query for the caller. */
export const translateDatabaseError = (source: string, error: unknown): Error => {
  if (error instanceof NodeProtocolError || error instanceof NodeUnavailableError) return error;
  const { code = '', message } = error as DatabaseError;
  if (OPERATORS_MISTAKES.test(code)) {
    return new NodeProtocolError(
      source,
      `${source} cannot be read as a Core node's database (${message}): ${tlsAdvice(error) ?? CHECK_RIGHTS}.`,
      { cause: error },
    );
  }
  const kind = KINDS[code] ?? (/timeout/i.test(message) ? 'timeout' : 'unreachable');
  return new NodeUnavailableError(
    source,
    kind,
    `${source} does not answer (${message || code}): ${tlsAdvice(error) ?? 'check that the database runs and can be reached'}.`,
    { cause: error },
  );
};
