import { setTimeout as wait } from 'node:timers/promises';
import { NodeUnavailableError } from '@roundhouse/source';

/** Another process on this machine may have used up what the node grants: a start waits for that, and does not fail. */
const TRY_AGAIN_MS = 1_000;

/** What `ask` gives, asked again as long as the node grants no more requests. Other errors as they are. */
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
