import { VOTERS_PER_PAGE } from '../page/location.js';
import type { PageLocation } from '../page/location.js';
import type { View } from '../page/page-state.js';
import { readBlockAnswer, readVotersAnswer } from '../status/details.js';
import { readStatus, type Status } from '../status/status.js';
import { learnClock } from './clock.js';

const TIMEOUT_MS = 10_000;

/** An answer that is not the one that was hoped for. */
export class RefusedError extends Error {
  constructor(readonly status: number) {
    super(`The server answered ${status}.`);
  }
}

const get = async (path: string): Promise<string> => {
  const response = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
  learnClock(response);
  if (!response.ok) throw new RefusedError(response.status);
  return response.text();
};

export const loadStatus = async (): Promise<Status> => readStatus(await get('/status.json'));

/** What a view shows beyond the status. Throws `RefusedError` where there is no such thing. */
export const loadView = async (location: PageLocation, status: Status): Promise<View> => {
  switch (location.view) {
    case 'overview':
      return { kind: 'overview', list: location.list };
    case 'block': {
      const block = readBlockAnswer(await get(`/api/blocks/get?id=${encodeURIComponent(location.id)}`));
      return { kind: 'block', block, isUndone: false };
    }
    case 'delegate': {
      const { username, offset } = location;
      const delegate = status.delegates.find((delegate) => delegate.username === username);
      if (!delegate) throw new RefusedError(404);
      const limit = VOTERS_PER_PAGE + 1;
      const query = `publicKey=${delegate.publicKey}&limit=${limit}&offset=${offset}`;
      const voters = readVotersAnswer(await get(`/api/delegates/voters?${query}`));
      return {
        kind: 'delegate',
        delegate,
        voters: voters.slice(0, VOTERS_PER_PAGE),
        offset,
        hasMoreVoters: voters.length > VOTERS_PER_PAGE,
      };
    }
  }
};
