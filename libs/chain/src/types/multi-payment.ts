import { ADDRESS_BYTES, addressOfBytes, bytesOfAddress } from '../accounts/address.js';
import { amountOf, decodeEach, listOf, objectOf, textOf, within } from '../fields/fields.js';
import type { Payment } from '../transactions/transaction.js';
import { required } from '../bytes/byte-writer.js';
import { assetOf, type TypeDefinition } from './definition.js';

const readPayment = (value: unknown): Payment => {
  const payment = objectOf(value);
  return { recipientId: textOf(payment, 'recipientId'), amount: amountOf(payment, 'amount') };
};

const LEAST_PAYMENTS = 2;
/** Where the milestones have no limit: Core 2.6 and 2.7 take 500, Core 3 takes 256. */
const MOST_PAYMENTS = 500;

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
  check: (transaction, sender, of) => {
    const payments = transaction.asset?.payments ?? [];
    // 0 is no limit, as in Core.
    const limits = [of.constants, of.constantsBelow].map((each) => each.multiPaymentLimit || MOST_PAYMENTS);
    const most = Math.max(...limits);
    // Before nonces, no node limited them.
    const isDoubtful = transaction.nonce === null;
    if (payments.length < LEAST_PAYMENTS || payments.length > most)
      of.broken(
        'payments',
        `has ${payments.length} payments, but from ${LEAST_PAYMENTS} to ${most} are allowed`,
        transaction,
        isDoubtful,
      );
    if (payments.some(({ amount }) => amount === 0n))
      of.broken('payments', 'has a payment of 0', transaction, isDoubtful);
    const total = payments.reduce((sum, { amount }) => sum + amount, transaction.fee);
    of.balance(transaction, sender, total);
  },
  /** Recipients may repeat and may be the sender itself, so each payment is applied separately. */
  apply: (transaction, { ledger, sender, height }) => {
    for (const { recipientId, amount } of assetOf(transaction, 'payments', height)) {
      ledger.move(sender, -amount);
      ledger.move(ledger.account(recipientId), amount);
    }
  },
};
