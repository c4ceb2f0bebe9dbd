import type { Logger } from 'pino';

const SAY_EVERY_MS = 300_000;

/** Logs that traces could not be delivered: the first time at once, then every five minutes with a count. */
export const failureLog = (logger: Logger, now: () => number = () => performance.now()) => {
  let failures = 0;
  let sayAgainAt = Number.NEGATIVE_INFINITY;
  return (reason: string): void => {
    failures += 1;
    if (now() < sayAgainAt) return;
    sayAgainAt = now() + SAY_EVERY_MS;
    logger.warn({ reason, failures }, 'traces could not be delivered: see OTEL_EXPORTER_OTLP_ENDPOINT');
    failures = 0;
  };
};
