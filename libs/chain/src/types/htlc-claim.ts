import { HASH_BYTES } from '../bytes/byte-reader.js';
import { hashOf, inner } from '../fields/fields.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { assetOf, required, type Touched, type TypeDefinition } from './definition.js';

/** Of claims and refunds. The sender and recipient of an open lock are touched too. */
export const touchesLock = ({ lockTransactionId }: TransactionAsset): Touched =>
  lockTransactionId === undefined ? {} : { lockIds: [lockTransactionId] };

export const htlcClaim: TypeDefinition = {
  readAsset: (asset) =>
    inner(asset, 'claim', (claim) => ({
      lockTransactionId: hashOf(claim, 'lockTransactionId'),
      unlockSecret: hashOf(claim, 'unlockSecret'),
    })),
  writeAsset: ({ lockTransactionId, unlockSecret }) => ({ claim: { lockTransactionId, unlockSecret } }),
  write: (writer, { asset }) => {
    writer
      .hex(required(asset?.lockTransactionId, 'asset.claim.lockTransactionId'))
      .hex(required(asset?.unlockSecret, 'asset.claim.unlockSecret'));
  },
  read: (reader) => ({
    asset: { lockTransactionId: reader.hex(HASH_BYTES), unlockSecret: reader.hex(HASH_BYTES) },
  }),
  touches: touchesLock,
  /** The recipient of the lock gets the amount, no matter who sends the claim. */
  apply: (transaction, { ledger, sender, height }) => {
    const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
    const recipient = ledger.account(lock.recipientAddress);
    ledger.move(ledger.account(lock.senderAddress), 0n, -lock.amount);
    ledger.move(recipient, lock.amount);
    ledger.countClaim(lock.amount, recipient.vote, sender.vote);
  },
};
