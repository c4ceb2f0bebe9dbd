import { ADDRESS_BYTES, addressOfBytes } from '../accounts/address.js';
import { HASH_BYTES } from '../bytes/byte-reader.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import { byteOf, hashOf, inner, uint32Of } from '../fields/fields.js';
import { bytesOfAddress, required, type TypeDefinition } from './definition.js';

export const htlcLock: TypeDefinition = {
  hasVendorField: true,
  hasAmount: true,
  hasRecipient: true,
  readAsset: (asset) =>
    inner(asset, 'lock', (lock) => ({
      lock: {
        secretHash: hashOf(lock, 'secretHash'),
        expiration: inner(lock, 'expiration', (expiration) => ({
          type: byteOf(expiration, 'type'),
          value: uint32Of(expiration, 'value'),
        })),
      },
    })),
  write: (writer, { amount, asset, recipientId }) => {
    const { secretHash, expiration } = required(asset?.lock, 'asset.lock');
    writer
      .u64(amount)
      .hex(secretHash)
      .u8(expiration.type)
      .u32(expiration.value)
      .bytes(bytesOfAddress(required(recipientId, 'recipientId')));
  },
  read: (reader) => {
    const amount = reader.u64();
    const secretHash = reader.hex(HASH_BYTES);
    const expiration = { type: reader.u8(), value: reader.u32() };
    const recipientId = addressOfBytes(reader.take(ADDRESS_BYTES));
    return { amount, asset: { lock: { secretHash, expiration } }, recipientId };
  },
  /** The amount stays with the sender, locked, until a claim or a refund. */
  apply: ({ id, amount, recipientId }, { ledger, sender, height }) => {
    if (recipientId === null) throw new InvalidBlockError(height, `lock ${id} has no recipient`);
    ledger.move(sender, -amount, amount);
    ledger.openLock({
      transactionId: id,
      senderAddress: sender.address,
      recipientAddress: recipientId,
      amount,
    });
  },
};
