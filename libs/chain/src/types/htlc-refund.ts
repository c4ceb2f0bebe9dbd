import { HASH_BYTES } from '../bytes/byte-reader.js';
import { inner } from '../fields/asset-fields.js';
import { hashOf } from '../fields/fields.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type TypeDefinition } from './definition.js';
import { touchesLock } from './htlc-claim.js';
import { hasEnded } from './htlc-lock.js';

export const htlcRefund: TypeDefinition = {
  isFree: true,
  readAsset: (asset) =>
    inner(asset, 'refund', (refund) => ({ lockTransactionId: hashOf(refund, 'lockTransactionId') })),
  writeAsset: ({ lockTransactionId }) => ({ refund: { lockTransactionId } }),
  write: (writer, { asset }) => {
    writer.hex(required(asset?.lockTransactionId, 'asset.refund.lockTransactionId'));
  },
  read: (reader) => ({ asset: { lockTransactionId: reader.hex(HASH_BYTES) } }),
  touches: touchesLock,
  /** The ledger itself refuses to end a lock that is not open. */
  check: (transaction, _sender, of) => {
    const { lockTransactionId = '' } = transaction.asset ?? {};
    const lock = of.ledger.lockTerms.get(lockTransactionId);
    if (lock !== undefined && !hasEnded(lock, of))
      of.broken('refund', `refunds lock ${lockTransactionId}, which has not expired`, transaction);
  },
  /** The sender of the lock gets the amount back, no matter who sends the refund. */
  apply: (transaction, { ledger, height }) => {
    const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
    ledger.move(ledger.account(lock.senderAddress), lock.amount, -lock.amount);
  },
};
