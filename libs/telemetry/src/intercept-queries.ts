import { AsyncResource } from 'node:async_hooks';
import { finished, type Stream } from 'node:stream';

/**
 * The first argument of pg's `query`, unless it is plain text. An object that sends itself, such as a COPY stream,
 * has `submit`.
 */
export interface Statement {
  readonly text?: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
  readonly submit?: unknown;
}

/** Called before a statement is sent. It returns what to call when the statement has ended, or null to ignore it. */
export type OnStatement = (statement: Statement, sender: unknown) => ((error?: unknown) => void) | null;

type Callback = (error: unknown, ...rest: unknown[]) => void;

interface Sender {
  query: (this: unknown, query: string | Statement, ...rest: unknown[]) => unknown;
}

const statementOf = (query: string | Statement, values: unknown): Statement => {
  if (typeof query === 'string') return Array.isArray(values) ? { text: query, values } : { text: query };
  return query;
};

/**
 * Wraps `query` of a pg client, of a pool, or of the prototype of either: the one place where statements are observed.
 * Returns a function that removes the wrapper.
 */
export const interceptQueries = (target: object, onStatement: OnStatement): (() => void) => {
  const sender = target as Sender;
  const { query: original } = sender;
  sender.query = function (query, ...rest) {
    const onEnd = onStatement(statementOf(query, rest[0]), this);
    if (onEnd === null) return original.call(this, query, ...rest);
    const last = rest.at(-1);
    if (typeof last === 'function') {
      const callback = AsyncResource.bind(last as Callback);
      const observed: Callback = (error, ...results) => {
        onEnd(error);
        callback(error, ...results);
      };
      return original.call(this, query, ...rest.slice(0, -1), observed);
    }
    const result = original.call(this, query, ...rest);
    if (result instanceof Promise) result.then(() => onEnd(), onEnd);
    else if (typeof (result as Partial<Stream>).pipe === 'function')
      finished(result as Stream.Readable, onEnd);
    else onEnd();
    return result;
  };
  return () => {
    sender.query = original;
  };
};
