import { HASH_BYTES } from '../bytes/byte-reader.js';
import { hashOf, inner } from '../fields/fields.js';
import { assetOf, required, type TypeDefinition } from './definition.js';
import { touchesLock } from './htlc-claim.js';

export const htlcRefund: TypeDefinition = {
  readAsset: (asset) =>
    inner(asset, 'refund', (refund) => ({ lockTransactionId: hashOf(refund, 'lockTransactionId') })),
  writeAsset: ({ lockTransactionId }) => ({ refund: { lockTransactionId } }),
  write: (writer, { asset }) => {
    writer.hex(required(asset?.lockTransactionId, 'asset.refund.lockTransactionId'));
  },
  read: (reader) => ({ asset: { lockTransactionId: reader.hex(HASH_BYTES) } }),
  touches: touchesLock,
  /** The sender of the lock gets the amount back, no matter who sends the refund. */
  apply: (transaction, { ledger, height }) => {
    const lock = ledger.closeLock(assetOf(transaction, 'lockTransactionId', height));
    ledger.move(ledger.account(lock.senderAddress), lock.amount, -lock.amount);
  },
};
