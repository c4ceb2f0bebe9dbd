import { decodeBase58 } from '@roundhouse/chain';
import { required, type Payload } from '../payload.js';

export const ipfs: Payload = (writer, { asset }) => {
  const hash = decodeBase58(required(asset?.ipfs, 'asset.ipfs'));
  if (hash === null) throw new TypeError('"asset.ipfs" is not Base58 text.');
  writer.bytes(hash);
};
