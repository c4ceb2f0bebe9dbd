import { context, diag, DiagLogLevel } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getNumberFromEnv, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, hostDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { setTracing, type Telemetry } from '../tracing.js';
import { failureLog } from './failure-log.js';
import { OtelTracing } from './otel-tracing.js';
import { traceQueries } from './trace-queries.js';

/**
 * The time limit of one delivery, including retries. It must fit into the shutdown of an app. OpenTelemetry's default
 * is 10,000.
 */
const DELIVER_WITHIN_MS = 2_000;

const INSTRUMENTATION = 'roundhouse';

const reasonOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return message || String(code ?? error);
};

const deliverWithinMs = (): number =>
  getNumberFromEnv('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT') ??
  getNumberFromEnv('OTEL_EXPORTER_OTLP_TIMEOUT') ??
  DELIVER_WITHIN_MS;

/** Waits for `work`, or until the time is over: then it rejects. */
const within = async (work: Promise<unknown>, limitMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const timeOver = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not delivered within ${limitMs} ms`)), limitMs);
  });
  await Promise.race([work, timeOver]).finally(() => clearTimeout(timer));
};

/** The SDK itself reads sampler, batches, address, headers and resource from the standard variables. */
export const startSdk = (serviceName: string, logger: Logger): Telemetry => {
  const fail = failureLog(logger);
  diag.setLogger(
    { error: fail, warn: fail, info: () => undefined, debug: () => undefined, verbose: () => undefined },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  setGlobalErrorHandler((error) => fail(reasonOf(error)));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const detected = detectResources({ detectors: [hostDetector, envDetector] });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }).merge(
      detected,
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: deliverWithinMs() }))],
  });
  const tracer = provider.getTracer(INSTRUMENTATION);
  const restoreQueries = traceQueries(tracer);
  setTracing(new OtelTracing(tracer));
  return {
    stop: async () => {
      setTracing(null);
      restoreQueries();
      await within(provider.shutdown(), DELIVER_WITHIN_MS).catch((error: unknown) => fail(reasonOf(error)));
      context.disable();
      diag.disable();
    },
  };
};
