import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 100;
const ANSWER_TIMEOUT_MS = 2_000;

/** Returns the JSON at a URL, or null if there is no successful answer. */
export const askJson = async <T>(url: string, signal: AbortSignal): Promise<T | null> => {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    return answer.ok ? ((await answer.json()) as T) : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
};

/** Calls `ask` until it returns a value. Throws the signal's reason if it is aborted. */
export const waitFor = async <T>(ask: () => Promise<T | null>, signal: AbortSignal): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await delay(INTERVAL_MS, undefined, { signal });
  }
};
