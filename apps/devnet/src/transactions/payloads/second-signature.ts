import { required, type Payload } from '../payload.js';

export const secondSignature: Payload = (writer, { asset }) => {
  writer.hex(required(asset?.signature, 'asset.signature').publicKey);
};
