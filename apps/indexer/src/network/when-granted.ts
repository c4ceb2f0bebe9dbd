import { setTimeout as wait } from 'node:timers/promises';
import { NodeUnavailableError } from '@roundhouse/source';

/** Another process on this machine may have used up the node's request limit: a start then waits instead of failing. */
const TRY_AGAIN_MS = 1_000;

/** Repeats `ask` while the node grants no more requests. Other errors are thrown. */
export const whenGranted = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NodeUnavailableError) || error.retryAfterMs === undefined) throw error;
      await wait(Math.min(error.retryAfterMs, TRY_AGAIN_MS));
    }
  }
};
