import { DelegateBackoff, handleWhen, retry } from 'cockatiel';
import { ApiError, NetworkError, TimeoutError } from '../errors.js';

export interface RetryOptions {
  readonly retries: number;
  readonly backoffMs: number;
  readonly longestWaitMs: number;
}

const TRANSIENT: ReadonlySet<number> = new Set([429, 503]);

const waitOf = (error: Error): number => (error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0);

const isTransient = (error: Error): boolean =>
  error instanceof NetworkError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && TRANSIENT.has(error.status));

/** Repeats idempotent work after transient failures, with a pause that grows. */
export const retrying = <T>(
  work: () => Promise<T>,
  { retries, backoffMs, longestWaitMs }: RetryOptions,
): Promise<T> => {
  const policy = retry(
    handleWhen((error) => isTransient(error) && waitOf(error) <= longestWaitMs),
    {
      maxAttempts: retries,
      backoff: new DelegateBackoff(({ attempt, result }) => {
        const pauseMs = backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random());
        return Math.max(pauseMs, 'error' in result ? waitOf(result.error) : 0);
      }),
    },
  );
  return policy.execute(work);
};
