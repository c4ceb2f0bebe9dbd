import { currentTracing, type OpenSpan, type PastWork, type SpanOptions } from './tracing.js';

const NOT_TRACED: OpenSpan = { set: () => undefined };

/** Runs `work` in a span of its own; an error of it is noted and thrown on. */
export const traced = <T>(options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> => {
  const tracing = currentTracing();
  return tracing === null ? work(NOT_TRACED) : tracing.run(options, work);
};

/** Notes work that was measured while it was done, and its parts, within the present span. */
export const tracedAfterwards = (work: () => PastWork): void => currentTracing()?.record(work());
