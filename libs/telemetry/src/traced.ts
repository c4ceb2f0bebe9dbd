import { currentTracing, type OpenSpan, type PastWork, type SpanOptions } from './tracing.js';

const NOT_TRACED: OpenSpan = { set: () => undefined };

/**
 * Runs `work` in its own span. The span records an error of `work`, which is thrown again.
 *
 * Spans are made by hand: automatic instrumentation needs a loader hook before the first import, costs time even if
 * nothing is traced, and sends trace context to nodes that are not ours.
 */
export const traced = <T>(options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> => {
  const tracing = currentTracing();
  return tracing === null ? work(NOT_TRACED) : tracing.run(options, work);
};

/** Adds spans for work that has already been measured, and for its parts, to the current span. */
export const tracedAfterwards = (work: () => PastWork): void => currentTracing()?.record(work());
