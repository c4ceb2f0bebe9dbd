import type { AddressBook } from '../accounts/address.js';
import { multiSignatureKeyOf } from '../accounts/multi-signature.js';
import type { Block } from '../blocks/block.js';

/** What must be in the working set before the blocks can be applied. */
export interface TouchedKeys {
  readonly addresses: ReadonlySet<string>;
  /** Locks that are claimed or refunded. The sender and recipient of an open lock are touched too. */
  readonly lockIds: ReadonlySet<string>;
}

export const touchedKeys = (blocks: Iterable<Block>, book: AddressBook): TouchedKeys => {
  const addresses = new Set<string>();
  const lockIds = new Set<string>();
  for (const block of blocks) {
    addresses.add(book.addressOf(block.generatorPublicKey));
    for (const { senderPublicKey, recipientId, asset } of block.transactions) {
      addresses.add(book.addressOf(senderPublicKey));
      if (recipientId !== null) addresses.add(recipientId);
      if (asset === null) continue;
      for (const payment of asset.payments ?? []) addresses.add(payment.recipientId);
      // An invalid registration touches nothing: its block is refused.
      const shared = asset.multiSignature && multiSignatureKeyOf(asset.multiSignature);
      if (shared) addresses.add(book.addressOf(shared));
      if (asset.lockTransactionId !== undefined) lockIds.add(asset.lockTransactionId);
    }
  }
  return { addresses, lockIds };
};
