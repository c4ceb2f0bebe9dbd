import { addressBytes } from '../address-bytes.js';
import { required, type Payload } from '../payload.js';

export const transfer: Payload = (writer, { amount, expiration, recipientId }) => {
  writer
    .u64(BigInt(amount))
    .u32(expiration ?? 0)
    .bytes(addressBytes(required(recipientId, 'recipientId')));
};
