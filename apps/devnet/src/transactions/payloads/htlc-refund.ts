import { required, type Payload } from '../payload.js';

export const htlcRefund: Payload = (writer, { asset }) => {
  writer.hex(required(asset?.refund, 'asset.refund').lockTransactionId);
};
