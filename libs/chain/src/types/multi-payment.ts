import { ADDRESS_BYTES, addressOfBytes } from '../accounts/address.js';
import { amountOf, decodeEach, listOf, objectOf, textOf, within } from '../fields/fields.js';
import type { Payment } from '../transactions/transaction.js';
import { assetOf, bytesOfAddress, required, type TypeDefinition } from './definition.js';

const readPayment = (value: unknown): Payment => {
  const payment = objectOf(value);
  return { recipientId: textOf(payment, 'recipientId'), amount: amountOf(payment, 'amount') };
};

export const multiPayment: TypeDefinition = {
  hasVendorField: true,
  readAsset: (asset) => {
    const payments = listOf(asset, 'payments');
    return { payments: within('payments', () => decodeEach(payments, readPayment)) };
  },
  writeAsset: ({ payments = [] }) => ({
    payments: payments.map(({ recipientId, amount }) => ({ amount: `${amount}`, recipientId })),
  }),
  write: (writer, { asset }) => {
    const payments = required(asset?.payments, 'asset.payments');
    writer.u16(payments.length);
    for (const { amount, recipientId } of payments) writer.u64(amount).bytes(bytesOfAddress(recipientId));
  },
  read: (reader) => {
    const payments = Array.from({ length: reader.u16() }, () => {
      const amount = reader.u64();
      return { recipientId: addressOfBytes(reader.take(ADDRESS_BYTES)), amount };
    });
    return { asset: { payments } };
  },
  touches: ({ payments = [] }) => ({ addresses: payments.map(({ recipientId }) => recipientId) }),
  /** Recipients may repeat and may be the sender itself, so each payment is applied separately. */
  apply: (transaction, { ledger, sender, height }) => {
    for (const { recipientId, amount } of assetOf(transaction, 'payments', height)) {
      ledger.move(sender, -amount);
      ledger.move(ledger.account(recipientId), amount);
    }
  },
};
