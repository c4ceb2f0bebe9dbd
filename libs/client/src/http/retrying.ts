import { DelegateBackoff, handleWhen, retry } from 'cockatiel';
import { ApiError, NetworkError, TimeoutError } from '../errors.js';

export interface RetryOptions {
  readonly retries: number;
  readonly backoffMs: number;
  readonly longestWaitMs: number;
}

const PASSING: ReadonlySet<number> = new Set([429, 503]);

const waitOf = (error: Error): number => (error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0);

const isPassing = (error: Error): boolean =>
  error instanceof NetworkError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && PASSING.has(error.status));

/** Does idempotent work again where it failed with what passes by itself, after a pause that grows. */
export const retrying = <T>(
  work: () => Promise<T>,
  { retries, backoffMs, longestWaitMs }: RetryOptions,
): Promise<T> => {
  const policy = retry(
    handleWhen((error) => isPassing(error) && waitOf(error) <= longestWaitMs),
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
