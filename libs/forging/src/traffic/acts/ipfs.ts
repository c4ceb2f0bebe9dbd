import { encodeBase58, sha256, TransactionType } from '@roundhouse/chain';
import { feeOf, pickSender, type Act } from '../scene.js';

/** Multihash prefix: SHA-256, 32 bytes. */
const SHA_256 = Uint8Array.of(0x12, 0x20);

/** Returns a content id of the text. */
export const contentId = (text: string): string => encodeBase58(Buffer.concat([SHA_256, sha256(text)]));

export const ipfs: Act = (scene) => {
  const { height, random } = scene;
  const fee = feeOf('ipfs');
  const sender = pickSender(scene, fee);
  if (!sender) return null;
  const asset = { ipfs: contentId(`${sender.address} ${height} ${random.below(1_000_000)}`) };
  return { sender: sender.address, type: TransactionType.Ipfs, fee, asset };
};
