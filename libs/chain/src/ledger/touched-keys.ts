import type { AddressBook } from '../accounts/address.js';
import type { Block } from '../blocks/block.js';
import { touchedBy } from '../types/of-type.js';

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
    for (const transaction of block.transactions) {
      addresses.add(book.addressOf(transaction.senderPublicKey));
      if (transaction.recipientId !== null) addresses.add(transaction.recipientId);
      const touched = touchedBy(transaction);
      for (const address of touched.addresses ?? []) addresses.add(address);
      for (const key of touched.publicKeys ?? []) addresses.add(book.addressOf(key));
      for (const id of touched.lockIds ?? []) lockIds.add(id);
    }
  }
  return { addresses, lockIds };
};
