import { required, type Payload } from '../payload.js';

export const htlcClaim: Payload = (writer, { asset }) => {
  const { lockTransactionId, unlockSecret } = required(asset?.claim, 'asset.claim');
  writer.hex(lockTransactionId).hex(unlockSecret);
};
