import { addressBytes } from '../address-bytes.js';
import { required, type Payload } from '../payload.js';

export const multiPayment: Payload = (writer, { asset }) => {
  const payments = required(asset?.payments, 'asset.payments');
  writer.u16(payments.length);
  for (const { amount, recipientId } of payments) writer.u64(BigInt(amount)).bytes(addressBytes(recipientId));
};
