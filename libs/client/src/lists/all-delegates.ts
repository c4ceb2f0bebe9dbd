import type { Delegate, DelegatesResponse } from '../generated/api.js';

const PAGE = 100;

type Page = { readonly offset: number; readonly limit: number; readonly orderBy: string };

/** By public key, which no vote changes: between two pages nobody moves but by who is registered. */
export async function* allDelegates(
  get: (page: Page) => Promise<DelegatesResponse>,
): AsyncGenerator<Delegate, void> {
  let last = '';
  for (let offset = 0; ; offset += PAGE) {
    const { delegates } = await get({ offset, limit: PAGE, orderBy: 'publicKey' });
    for (const delegate of delegates) {
      // One that was registered meanwhile moves those behind it, so that some come again.
      if (delegate.publicKey <= last) continue;
      last = delegate.publicKey;
      yield delegate;
    }
    if (delegates.length < PAGE) return;
  }
}
