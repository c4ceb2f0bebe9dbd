import { UnexpectedAnswerError } from '../errors.js';
import type { Delegate, DelegatesResponse } from '../generated/api.js';

const PAGE = 100;

/** The maximum number of consecutive full pages without a new delegate. If there are more, a cache ignores `offset`. */
const MOST_OLD_PAGES = 3;

type Page = { readonly offset: number; readonly limit: number; readonly orderBy: string };

/**
 * Requests pages in the order of public keys, because votes do not change this order. Each page starts at or before
 * the last delegate that was returned, so none is skipped. If a registration was undone meanwhile, the later delegates
 * have moved up, and the page before is requested again.
 */
export async function* allDelegates(
  get: (page: Page) => Promise<DelegatesResponse>,
): AsyncGenerator<Delegate, void> {
  let last = '';
  let offset = 0;
  let oldPages = 0;
  for (;;) {
    const { delegates } = await get({ offset, limit: PAGE, orderBy: 'publicKey' });
    const first = delegates[0]?.publicKey;
    if (offset > 0 && (first === undefined || first > last)) {
      offset = Math.max(offset - PAGE + 1, 0);
      continue;
    }
    oldPages += 1;
    for (const delegate of delegates) {
      if (delegate.publicKey <= last) continue;
      last = delegate.publicKey;
      oldPages = 0;
      yield delegate;
    }
    if (delegates.length < PAGE) return;
    if (oldPages > MOST_OLD_PAGES)
      throw new UnexpectedAnswerError('/api/delegates', 'the same page again and again');
    offset += PAGE - 1;
  }
}
