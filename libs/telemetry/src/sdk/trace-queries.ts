import { finished, type Stream } from 'node:stream';
import { context, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import pg from 'pg';

interface Statement {
  readonly text?: string;
  readonly name?: string;
}

/**
 * The first argument of `query` in pg: text, a configuration, or an object that sends itself, such as a COPY stream.
 */
type Query = string | (Statement & { readonly submit?: unknown; readonly callback?: unknown });

type Callback = (error: Error | null, ...rest: unknown[]) => void;

type QueryMethod = (this: pg.Client, query: Query, ...rest: unknown[]) => unknown;

/** The operation and the first table, as in `SELECT blocks`. */
const summaryOf = (text: string): { operation: string; summary: string } => {
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const table = /\b(?:from|into|update|copy)\s+([\w."]+)/i.exec(text)?.[1];
  return { operation, summary: table === undefined ? operation : `${operation} ${table}` };
};

const startSpan = (tracer: Tracer, { database, host, port }: pg.Client, query: Query): Span => {
  const { text = '', name } = typeof query === 'string' ? ({ text: query } as Statement) : query;
  const { operation, summary } = summaryOf(text);
  return tracer.startSpan(name ?? summary, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      'server.address': host,
      'server.port': port,
      ...(database === undefined ? {} : { 'db.namespace': database }),
    },
  });
};

const endSpan = (span: Span, error?: unknown): void => {
  if (error) {
    const { code, name } = error as { code?: string; name: string };
    // PostgreSQL's messages may hold values.
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttributes({ 'error.type': code ?? name, ...(code ? { 'db.response.status_code': code } : {}) });
  }
  span.end();
};

const ending =
  (span: Span, callback: Callback): Callback =>
  (error, ...rest) => {
    endSpan(span, error);
    callback(error, ...rest);
  };

/**
 * Makes a span for each statement of any client that runs inside another span. The statement's values stay out of it.
 * Returns a function that undoes this.
 */
export const traceQueries = (tracer: Tracer): (() => void) => {
  const client = pg.Client.prototype as unknown as { query: QueryMethod };
  const { query: original } = client;
  client.query = function (query, ...rest) {
    if (!trace.getActiveSpan()?.isRecording()) return original.call(this, query, ...rest);
    const span = startSpan(tracer, this, query);
    const last = rest.at(-1);
    if (typeof last === 'function') {
      return original.call(
        this,
        query,
        ...rest.slice(0, -1),
        ending(span, context.bind(context.active(), last as Callback)),
      );
    }
    const result = original.call(this, query, ...rest);
    if (result instanceof Promise) {
      result.then(
        () => endSpan(span),
        (error: unknown) => endSpan(span, error),
      );
    } else if (typeof (result as Partial<Stream>).pipe === 'function') {
      finished(result as Stream.Readable, (error) => endSpan(span, error));
    } else span.end();
    return result;
  };
  const restorePool = keepContext();
  return () => {
    client.query = original;
    restorePool();
  };
};

/**
 * A caller that waits for a pooled connection is resumed by the caller that releases it. The callback must keep its
 * own span.
 */
const keepContext = (): (() => void) => {
  const pool = pg.Pool.prototype as unknown as { connect: (callback?: Callback) => unknown };
  const { connect: original } = pool;
  pool.connect = function (callback) {
    return original.call(this, callback && context.bind(context.active(), callback));
  };
  return () => {
    pool.connect = original;
  };
};
