import { isPublicKey } from '@roundhouse/dto';
import type { DelegateName, HistoryAccountsReader } from '@roundhouse/readers';
import type { LargeContent } from '../answers/large-content.js';
import { LastingContent } from '../answers/lasting-content.js';
import { NotFoundError } from '../answers/not-found.error.js';
import type { ChainView } from '../chain/chain-tracker.service.js';

export type PastContent<T extends object> = T | LargeContent<T> | LastingContent<T>;

export const NO_DELEGATE_THEN = 'There was no delegate with this username or public key at this height.';

/** Throws `NotFoundError` if a height is above the head, but first `NoHistoryError` if the index keeps none. */
export const assertReached = async (
  history: Pick<HistoryAccountsReader, 'assertHistory'>,
  { head }: ChainView,
  height: number,
): Promise<void> => {
  if (height <= head.height) return;
  await history.assertHistory(head);
  throw new NotFoundError(`There is no block ${height} yet: the head is ${head.height}.`);
};

/** An answer about a height. It never changes if undoing cannot go below that height. */
export const contentAt = <T extends object>(
  height: number,
  lowestHead: number,
  content: T | LargeContent<T>,
): PastContent<T> => (height <= lowestHead ? new LastingContent<T>(content) : content);

/** @param text a public key or a username */
export const delegateNamed = (text: string): DelegateName =>
  isPublicKey(text) ? { publicKey: text.toLowerCase() } : { username: text };
