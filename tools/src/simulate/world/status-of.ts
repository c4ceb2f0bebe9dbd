const TIMEOUT_MS = 2_000;

/** The status with which a URL answers; null if nothing answers in time. */
export const statusOf = async (url: string): Promise<number | null> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
};
