import { AsyncResource } from 'node:async_hooks';
import { SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import pg from 'pg';
import { interceptQueries } from '../intercept-queries.js';

/** The operation and the first table, as in `SELECT blocks`; of rows that are copied, all tables. */
const summaryOf = (text: string): { operation: string; summary: string } => {
  const copied = [...text.matchAll(/\bcopy\s+([\w."]+)/gi)].map(([, table]) => table);
  if (copied.length > 0) return { operation: 'COPY', summary: `COPY ${copied.join(', ')}` };
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const table = /\b(?:from|into|update)\s+([\w."]+)/i.exec(text)?.[1];
  return { operation, summary: table === undefined ? operation : `${operation} ${table}` };
};

/**
 * Makes a span of each statement that runs within another span, on any client. Spans do not contain a statement's values.
 * Returns a function that stops this.
 */
export const traceQueries = (tracer: Tracer): (() => void) => {
  const restoreClient = interceptQueries(pg.Client.prototype, ({ name, text = '' }, sender) => {
    if (!trace.getActiveSpan()?.isRecording()) return null;
    const { database, host, port } = sender as pg.Client;
    const { operation, summary } = summaryOf(text);
    const span = tracer.startSpan(name ?? summary, {
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
    return (error) => {
      if (error) {
        const { code, name: type } = error as { code?: string; name: string };
        // PostgreSQL's messages may contain values.
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttributes({
          'error.type': code ?? type,
          ...(code ? { 'db.response.status_code': code } : {}),
        });
      }
      span.end();
    };
  });
  const restorePool = keepContext();
  return () => {
    restoreClient();
    restorePool();
  };
};

/**
 * A pool calls the callback of a waiting caller from the code that returns a connection. Binding the callback keeps
 * the statement in the span of the caller.
 */
const keepContext = (): (() => void) => {
  const pool = pg.Pool.prototype as unknown as { connect: (callback?: () => unknown) => unknown };
  const { connect: original } = pool;
  pool.connect = function (callback) {
    return original.call(this, callback && AsyncResource.bind(callback));
  };
  return () => {
    pool.connect = original;
  };
};
