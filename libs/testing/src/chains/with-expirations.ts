import { computeBlockId, computePayloadHash } from '@roundhouse/blocks';
import { signsExpiration, type Block, type Network } from '@roundhouse/chain';
import { withId } from './with-id.js';

/** The chain with an expiration in every transfer that can have one, as the official wallets set it. */
export const withExpirations = (blocks: readonly Block[], { pubKeyHash }: Network): Block[] => {
  const made: Block[] = [];
  for (const block of blocks) {
    const transactions = block.transactions.map((transaction) =>
      signsExpiration(transaction.version, transaction.typeGroup, transaction.type)
        ? withId({ ...transaction, expiration: block.height + 100 }, pubKeyHash)
        : transaction,
    );
    const header = {
      ...block,
      previousBlock: made.at(-1)?.id ?? block.previousBlock,
      payloadHash:
        block.height === 1 ? block.payloadHash : computePayloadHash(transactions.map(({ id }) => id)),
    };
    made.push({ ...header, id: computeBlockId(header, false), transactions });
  }
  return made;
};
