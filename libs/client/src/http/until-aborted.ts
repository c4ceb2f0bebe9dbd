/**
 * Runs `work` with a signal of its own. If `signal` is aborted, aborts that one too and throws the reason at once.
 * Afterwards no listener stays on `signal`, which may belong to a whole program and outlive many requests.
 */
export const untilAborted = async <T>(
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> => {
  const own = new AbortController();
  if (signal === undefined) return work(own.signal);
  signal.throwIfAborted();
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      own.abort(signal.reason);
      reject(signal.reason as Error);
    };
  });
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(own.signal), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};
