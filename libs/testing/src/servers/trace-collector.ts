import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

type Value = string | number | boolean;

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  /** OTLP's number: 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty if there is none. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly durationMs: number;
  readonly isError: boolean;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, Value>>;
}

interface OtlpSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const ERROR_STATUS = 2;

const valuesOf = (attributes: readonly OtlpAttribute[]): Record<string, Value> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const plain = Object.values(value)[0]!;
      return [key, 'intValue' in value ? Number(plain) : plain];
    }),
  );

const spanOf = (service: string, span: OtlpSpan): CollectedSpan => ({
  service,
  name: span.name,
  kind: span.kind,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? '',
  attributes: valuesOf(span.attributes),
  durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  isError: span.status?.code === ERROR_STATUS,
});

const spansOf = ({ resourceSpans }: OtlpRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(service, span)));
  });

/** Receives traces by OTLP over HTTP, as JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The headers of the last delivery. */
  headers: IncomingHttpHeaders = {};

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        collector.headers = request.headers;
        if (request.url === '/v1/traces') collector.spans.push(...spansOf(body as OtlpRequest));
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
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
    for (;;) {
      const span = this.spans.find(fits);
      if (span !== undefined) return span;
      await wait(20);
    }
  }

  childrenOf({ spanId }: CollectedSpan): CollectedSpan[] {
    return this.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
