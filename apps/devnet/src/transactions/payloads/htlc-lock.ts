import { addressBytes } from '../address-bytes.js';
import { required, type Payload } from '../payload.js';

export const htlcLock: Payload = (writer, { amount, asset, recipientId }) => {
  const { secretHash, expiration } = required(asset?.lock, 'asset.lock');
  writer
    .u64(BigInt(amount))
    .hex(secretHash)
    .u8(expiration.type)
    .u32(expiration.value)
    .bytes(addressBytes(required(recipientId, 'recipientId')));
};
