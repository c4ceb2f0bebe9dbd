import type { SlowQuery } from '@roundhouse/storage';

const MOST_CHARACTERS = 200;

/** What `query` of a pool and of a client have in common. */
interface Connection {
  query(...args: unknown[]): unknown;
}

interface Statement {
  readonly name?: string;
  readonly text?: string;
  readonly values?: readonly unknown[];
}

/** A staged range has megabytes, a batch thousands of values: none of that belongs into a log. */
const shortened = (value: unknown): unknown => {
  if (Buffer.isBuffer(value)) return `${value.length} bytes`;
  if (Array.isArray(value)) return `${value.length} values`;
  return typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : value;
};

/** What a query of any form asks; null for one that streams, as COPY does. */
const statementOf = (
  query: unknown,
  values: unknown,
): Required<Pick<SlowQuery, 'name' | 'values'>> | null => {
  const given: Statement = typeof query === 'string' ? { text: query } : (query as Statement);
  if ('submit' in given || given.text === undefined) return null;
  const text = given.text.replace(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS);
  const all = given.values ?? (Array.isArray(values) ? values : []);
  return { name: given.name ?? text, values: all.map(shortened) };
};

/**
 * Tells of each statement of a pool or a client that takes `slowMs` or longer, a wait for a connection included, whether
 * it fails or not; 0 tells of none.
 */
export const tellSlowStatements = (
  connection: object,
  slowMs: number,
  tell: (query: SlowQuery) => void,
): void => {
  if (slowMs === 0) return;
  const queried = connection as Connection;
  const query = queried.query.bind(connection);
  queried.query = (...args) => {
    const startedAt = performance.now();
    const result = query(...args);
    const statement = result instanceof Promise ? statementOf(args[0], args[1]) : null;
    if (statement === null) return result;
    const ended = (): void => {
      const durationMs = performance.now() - startedAt;
      if (durationMs >= slowMs) tell({ ...statement, durationMs });
    };
    (result as Promise<unknown>).then(ended, ended);
    return result;
  };
};
