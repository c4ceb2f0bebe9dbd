import type { Delegate, DelegatesResponse } from '../generated/api.js';

const PAGE = 100;

type Page = { readonly offset: number; readonly limit: number; readonly orderBy: string };

/**
 * By public key, which no vote changes. Each page begins with the last delegate that was given, or before it, so that none
 * is between the two: where a registration was undone meanwhile, those behind it have moved up, and the page before is
 * asked for again.
 */
export async function* allDelegates(
  get: (page: Page) => Promise<DelegatesResponse>,
): AsyncGenerator<Delegate, void> {
  let last = '';
  let offset = 0;
  for (;;) {
    const { delegates } = await get({ offset, limit: PAGE, orderBy: 'publicKey' });
    const first = delegates[0]?.publicKey;
    if (offset > 0 && (first === undefined || first > last)) {
      offset = Math.max(offset - PAGE + 1, 0);
      continue;
    }
    for (const delegate of delegates) {
      if (delegate.publicKey <= last) continue;
      last = delegate.publicKey;
      yield delegate;
    }
    if (delegates.length < PAGE) return;
    offset += PAGE - 1;
  }
}
