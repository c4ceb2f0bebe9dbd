import { addressBytes, payloadOf, type FindPayload, type Payload } from '@roundhouse/chain';

export const ENTITY_TYPE = 6;
/** A type group that no other program knows. */
export const FOREIGN_TYPE_GROUP = 1001;
export const FOREIGN_TYPE = 7;

/** A type that Core's own packages do not know, as a plugin might define it. */
const foreign: Payload = {
  hasAmount: true,
  hasRecipient: true,
  write: (writer, { amount, recipientId }) => {
    writer.u64(amount);
    const bytes = recipientId === null ? null : addressBytes(recipientId);
    if (bytes !== null) writer.bytes(bytes);
  },
  read: (reader) => ({ amount: reader.u64() }),
};

/** The payloads of all types that are forged. */
export const forgedPayloadOf: FindPayload = (form) =>
  form.typeGroup === FOREIGN_TYPE_GROUP && form.type === FOREIGN_TYPE ? foreign : payloadOf(form);
