import { HASH_BYTES } from '../bytes/byte-reader.js';
import { inner } from '../fields/asset-fields.js';
import { hashOf } from '../fields/fields.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { sha256 } from '../crypto/crypto.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type Touched, type TypeDefinition } from './definition.js';
import { hasEnded } from './htlc-lock.js';

/** Of claims and refunds. The sender and recipient of an open lock are touched too. */
export const touchesLock = ({ lockTransactionId }: TransactionAsset): Touched =>
  lockTransactionId === undefined ? {} : { lockIds: [lockTransactionId] };

export const htlcClaim: TypeDefinition = {
  isFree: true,
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
  /** The ledger itself refuses to end a lock that is not open. */
  check: (transaction, _sender, of) => {
    const { lockTransactionId = '', unlockSecret = '' } = transaction.asset ?? {};
    const lock = of.ledger.lockTerms.get(lockTransactionId);
    if (lock === undefined) return;
    if (hasEnded(lock, of))
      of.broken('claim', `claims lock ${lockTransactionId}, which has expired`, transaction);
    if (sha256(Buffer.from(unlockSecret, 'hex')).toString('hex') !== lock.secretHash)
      of.broken('claim', `claims lock ${lockTransactionId} with a wrong secret`, transaction);
  },
  /** The recipient of the lock gets the amount, no matter who sends the claim. */
  apply: (transaction, { ledger, sender, height }) => {
    const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
    const recipient = ledger.account(lock.recipientAddress);
    ledger.move(ledger.account(lock.senderAddress), 0n, -lock.amount);
    ledger.move(recipient, lock.amount);
    ledger.countClaim(lock.amount, recipient.vote, sender.vote);
  },
};
