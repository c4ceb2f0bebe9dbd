import { ADDRESS_BYTES, addressOfBytes, bytesOfAddress } from '../accounts/address.js';
import { required } from '../bytes/byte-writer.js';
import type { Effect, TypeDefinition } from './definition.js';

/** Moves the amount to the recipient, if there is one. */
export const moveAmount: Effect = ({ amount, recipientId }, { ledger, sender }) => {
  ledger.move(sender, -amount);
  if (recipientId !== null) ledger.move(ledger.account(recipientId), amount);
};

export const transfer: TypeDefinition = {
  hasVendorField: true,
  hasAmount: true,
  hasRecipient: true,
  write: (writer, { amount, expiration, recipientId }) => {
    writer
      .u64(amount)
      .u32(expiration)
      .bytes(bytesOfAddress(required(recipientId, 'recipientId')));
  },
  read: (reader) => ({
    amount: reader.u64(),
    expiration: reader.u32(),
    recipientId: addressOfBytes(reader.take(ADDRESS_BYTES)),
  }),
  apply: moveAmount,
};
