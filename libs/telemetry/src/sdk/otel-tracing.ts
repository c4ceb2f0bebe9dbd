import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { OpenSpan, PastWork, SpanOptions, Tracing } from '../tracing.js';

const KINDS = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/** Leaves the message out, because it may contain values of a statement. The log has it. */
const recordError = (span: Span, error: unknown): void => {
  const { name, code } = error as Error & { code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** The attributes of a request before it is handled, named by OpenTelemetry's conventions for HTTP. */
const requestAttributes = ({ method = '', url = '', headers, httpVersion }: IncomingMessage): Attributes => {
  const [path, query] = url.split('?', 2);
  const { 'user-agent': userAgent } = headers;
  return {
    'http.request.method': method,
    'url.scheme': 'http',
    'url.path': path,
    'network.protocol.version': httpVersion,
    ...(query === undefined ? {} : { 'url.query': query }),
    ...(userAgent === undefined ? {} : { 'user_agent.original': userAgent }),
  };
};

/** Makes spans with the SDK. */
export class OtelTracing implements Tracing {
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly requests = new WeakMap<IncomingMessage, Span>();

  constructor(private readonly tracer: Tracer) {}

  run<T>({ name, kind = 'internal', attributes = {} }: SpanOptions, work: (span: OpenSpan) => Promise<T>) {
    return this.tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, async (span) => {
      try {
        return await work({ set: (more) => span.setAttributes(more) });
      } catch (error) {
        recordError(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  record(work: PastWork, parent: Context = context.active()): void {
    const { name, startedAt, endedAt, attributes = {}, parts = [] } = work;
    const startTime = performance.timeOrigin + startedAt;
    const span = this.tracer.startSpan(name, { startTime, attributes }, parent);
    for (const part of parts) this.record(part, trace.setSpan(parent, span));
    span.end(performance.timeOrigin + endedAt);
  }

  serve(request: IncomingMessage, response: ServerResponse, handle: () => boolean): boolean {
    const parent = this.propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const { method = 'HTTP' } = request;
    const options = { kind: SpanKind.SERVER, attributes: requestAttributes(request) };
    const span = this.tracer.startSpan(method, options, parent);
    this.requests.set(request, span);
    // Emitted however the response ends, also if the client disconnects.
    response.once('close', () => {
      const { statusCode, headersSent, writableFinished } = response;
      if (headersSent) span.setAttribute('http.response.status_code', statusCode);
      if (!writableFinished) span.setAttribute('error.type', 'connection_closed');
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return context.with(trace.setSpan(parent, span), handle);
  }

  describe(request: IncomingMessage, route: string | undefined, attributes: Attributes): void {
    const span = this.requests.get(request);
    span?.setAttributes(attributes);
    if (route === undefined) return;
    span?.setAttribute('http.route', route).updateName(`${request.method} ${route}`);
  }
}
