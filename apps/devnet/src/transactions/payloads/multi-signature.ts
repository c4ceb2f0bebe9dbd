import { required, type Payload } from '../payload.js';

export const multiSignature: Payload = (writer, { asset }) => {
  const { min, publicKeys } = required(asset?.multiSignature, 'asset.multiSignature');
  writer.u8(min, publicKeys.length);
  for (const publicKey of publicKeys) writer.hex(publicKey);
};
