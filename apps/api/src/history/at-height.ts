import { isPublicKey } from '@roundhouse/dto';
import type { DelegateName, HistoryAccountsReader } from '@roundhouse/readers';
import { LastingContent, type Content, type MakeContent } from '../answers/answer-request.js';
import { noBlockYet, NotFoundError } from '../answers/errors.js';
import type { ChainView } from '../chain/chain-tracker.service.js';

export const NO_DELEGATE = 'There is no delegate with this username or public key.';
export const NO_DELEGATE_THEN = 'There was no delegate with this username or public key at this height.';

/**
 * Makes an answer about a height from what `find` finds. It never changes if undoing cannot go below that height. Throws
 * `NotFoundError` with `missing` if nothing is found, or if the height is above the head, but first `NoHistoryError` if
 * the index keeps none.
 */
export const contentAt =
  <Found, T extends object>(
    history: Pick<HistoryAccountsReader, 'assertHistory'>,
    height: number,
    find: (
      chain: ChainView,
    ) => Promise<{ readonly found: Found | null; readonly lowestHead: number } | undefined>,
    contentOf: (found: Found, chain: ChainView) => Content<T> | Promise<Content<T>>,
    missing = 'There is nothing at this height.',
  ): MakeContent<T> =>
  async (chain) => {
    const { head } = chain;
    if (height > head.height) {
      await history.assertHistory(head);
      throw noBlockYet(height, head);
    }
    const at = await find(chain);
    if (at?.found == null) throw new NotFoundError(missing);
    const content = await contentOf(at.found, chain);
    return height <= at.lowestHead ? new LastingContent<T>(content as T) : content;
  };

/** @param text a public key or a username */
export const delegateNamed = (text: string): DelegateName =>
  isPublicKey(text) ? { publicKey: text.toLowerCase() } : { username: text };
