import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

type Value = string | number | boolean;

interface Span {
  readonly name: string;
  /** OTLP's number: 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
}

export interface CollectedSpan extends Span {
  readonly service: string;
  /** Empty if there is none. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly durationMs: number;
  readonly isError: boolean;
}

type OtlpAttributes = readonly { readonly key: string; readonly value: Readonly<Record<string, Value>> }[];

interface OtlpSpan extends Span {
  readonly parentSpanId?: string;
  readonly attributes: OtlpAttributes;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpAttributes };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const ERROR_STATUS = 2;

const valuesOf = (attributes: OtlpAttributes): Record<string, Value> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const plain = Object.values(value)[0]!;
      return [key, 'intValue' in value ? Number(plain) : plain];
    }),
  );

const spansOf = ({ resourceSpans }: OtlpRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ name, kind, traceId, spanId, parentSpanId = '', ...span }) => ({
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        service: String(valuesOf(resource.attributes)['service.name']),
        attributes: valuesOf(span.attributes),
        durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        isError: span.status?.code === ERROR_STATUS,
      })),
  );

/** Receives traces by OTLP over HTTP, as JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The headers of the last delivery. */
  headers: IncomingHttpHeaders = {};

  private readonly server = createServer((request, response) => {
    void json(request).then((body) => {
      this.headers = request.headers;
      if (request.url === '/v1/traces') this.spans.push(...spansOf(body as OtlpRequest));
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');

  private constructor() {}

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The environment that makes a process deliver here without delay. */
  get environment(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: this.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      // The collector is part of the test's process, which may stall.
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    };
  }

  /** Waits for the first span that matches. */
  async find(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    while (!this.spans.some(fits)) await wait(20);
    return this.spans.find(fits)!;
  }

  childrenOf({ spanId }: CollectedSpan): CollectedSpan[] {
    return this.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }
}
