import type { Delegate, DelegatesResponse } from '../generated/api.js';

const PAGE = 100;

type Page = { readonly offset: number; readonly limit: number; readonly orderBy: string };

/**
 * Pages by public key, which votes do not change. Each page starts at or before the last delegate that was returned,
 * so none is skipped. If a registration was undone meanwhile, the later delegates have moved up, and the page before
 * is requested again.
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
