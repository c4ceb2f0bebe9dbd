import { CORE_TYPE_GROUP, MAGISTRATE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { addressBytes, payloadOf, type FindPayload, type Payload } from '@roundhouse/blocks';

export const ENTITY_TYPE = 6;
/** A type group that no other program knows. */
export const FOREIGN_TYPE_GROUP = 1001;
export const FOREIGN_TYPE = 7;

/** A type that Core's own packages do not know, as a plugin might define it. */
const foreign: Payload = {
  hasAmount: true,
  hasRecipient: true,
  write: (writer, { amount, recipientId }) => {
    writer.amount(amount);
    const bytes = recipientId === null ? null : addressBytes(recipientId);
    if (bytes !== null) writer.bytes(bytes);
  },
  read: (reader) => ({ amount: reader.u64() }),
};

/** The payloads of all types of this chain. */
export const devnetPayloadOf: FindPayload = (form) =>
  form.typeGroup === FOREIGN_TYPE_GROUP && form.type === FOREIGN_TYPE ? foreign : payloadOf(form);

/** The types of this chain as a node with its plugin tells them: numbers by type group and name. */
export const DEVNET_TYPES: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  [CORE_TYPE_GROUP]: TransactionType,
  [MAGISTRATE_TYPE_GROUP]: {
    BusinessRegistration: 0,
    BusinessResignation: 1,
    BusinessUpdate: 2,
    BridgechainRegistration: 3,
    BridgechainResignation: 4,
    BridgechainUpdate: 5,
    Entity: ENTITY_TYPE,
  },
  [FOREIGN_TYPE_GROUP]: { Foreign: FOREIGN_TYPE },
};
