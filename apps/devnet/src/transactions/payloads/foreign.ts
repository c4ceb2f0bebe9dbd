import { addressBytes } from '../address-bytes.js';
import type { Payload } from '../payload.js';

/** A type that Core's own packages do not know, as a plugin might define it. */
export const foreign: Payload = (writer, { amount, recipientId }) => {
  writer.u64(BigInt(amount));
  if (recipientId !== undefined) writer.bytes(addressBytes(recipientId));
};
