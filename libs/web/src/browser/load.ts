import type {
  BlockResponse,
  ChainStatusResponse,
  StatusDelegatesResponse,
  VotersResponse,
} from '@roundhouse/client';
import type { PageLocation } from '../page/location.js';
import { delegatesQuery, delegateView, VOTERS_TO_READ, type View } from '../page/page-state.js';
import { parseAnswer } from '../status/parse-answer.js';
import { learnClock } from './clock.js';

const TIMEOUT_MS = 10_000;

/** The server answered with an error status. */
export class RefusedError extends Error {
  constructor(readonly status: number) {
    super(`The server answered ${status}.`);
  }
}

const get = async <T>(path: string): Promise<T> => {
  const response = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
  learnClock(response);
  if (!response.ok) throw new RefusedError(response.status);
  return parseAnswer(await response.text());
};

export const loadStatus = (): Promise<ChainStatusResponse> => get('/status.json');

const loadDelegates = (query: Record<string, string>): Promise<StatusDelegatesResponse> =>
  get(`/delegates.json?${new URLSearchParams(query).toString()}`);

/** Loads what a view shows in addition to the status. Throws `RefusedError` if there is no such thing. */
export const loadView = async (location: PageLocation): Promise<View> => {
  switch (location.view) {
    case 'overview': {
      const { list } = location;
      const { delegates, count } = await loadDelegates(delegatesQuery(list));
      return { kind: 'overview', list, delegates, count };
    }
    case 'block': {
      const { block } = await get<BlockResponse>(`/api/blocks/get?id=${encodeURIComponent(location.id)}`);
      const { delegates } = await loadDelegates({ publicKey: block.generatorPublicKey });
      return { kind: 'block', block, forger: delegates[0]?.username ?? null, isUndone: false };
    }
    case 'delegate': {
      const { username, offset } = location;
      const [delegate] = (await loadDelegates({ username })).delegates;
      if (!delegate) throw new RefusedError(404);
      const query = `publicKey=${delegate.publicKey}&limit=${VOTERS_TO_READ}&offset=${offset}`;
      const { accounts } = await get<VotersResponse>(`/api/delegates/voters?${query}`);
      return delegateView(delegate, accounts, offset);
    }
  }
};
