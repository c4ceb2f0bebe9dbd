import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributes } from '@opentelemetry/api';

export interface Telemetry {
  /** Sends the remaining spans, for at most two seconds, and stops tracing. */
  stop(): Promise<void>;
}

export interface SpanOptions {
  readonly name: string;
  /** (Default: `internal`) */
  readonly kind?: 'internal' | 'client' | 'consumer';
  readonly attributes?: Attributes;
}

/** A span whose work is still running. */
export interface OpenSpan {
  set(attributes: Attributes): void;
}

/** Work that has ended. Times are those of `performance.now()`. */
export interface PastWork {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes?: Attributes;
  readonly parts?: readonly PastWork[];
}

/** The interface that the SDK's part implements, so that callers do not depend on the SDK. */
export interface Tracing {
  run<T>(options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  record(work: PastWork): void;
  serve(request: IncomingMessage, response: ServerResponse, handle: () => boolean): boolean;
  describe(request: IncomingMessage, route: string | undefined, attributes: Attributes): void;
}

let tracing: Tracing | null = null;

/** Null while nothing is traced. */
export const currentTracing = (): Tracing | null => tracing;

export const setTracing = (next: Tracing | null): void => {
  tracing = next;
};
