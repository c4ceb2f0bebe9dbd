import type { Attributes, Entity } from '../../accounts/attributes.js';
import { HASH_BYTES } from '../../bytes/byte-reader.js';
import type { TypeDefinition } from '../definition.js';
import { unlessAllowed } from './checks.js';
import {
  amending,
  isObject,
  MAGISTRATE,
  malformed,
  objectIn,
  partOf,
  readTexts,
  writeByte,
  writeHash,
  writeText,
  type Json,
} from './fields.js';

const ENTITY_DATA = ['name', 'ipfsData'];

/** `action` of an asset; 1 updates. */
const Action = { Register: 0, Resign: 2 } as const;

/** The entity that the asset registers or changes, with its id; undefined if it is one that the sender has not. */
const changedEntity = (
  { entities = {} }: Attributes,
  asset: Json,
  id: string,
): readonly [string, Entity] | undefined => {
  const { action, type, subType, registrationId } = asset;
  const data = objectIn(asset, 'data');
  if (action === Action.Register) return [id, { type, subType, data }];
  const known = typeof registrationId === 'string' ? entities[registrationId] : undefined;
  if (known === undefined) return undefined;
  const changed: Entity =
    action === Action.Resign ? { ...known, resigned: true } : { ...known, data: { ...known.data, ...data } };
  return [registrationId as string, changed];
};

const DELEGATE = 4;

/** Core knows the names of all entities. */
const check = unlessAllowed('entity', ({ entities = {} }, asset, { senderPublicKey }, of) => {
  const { action, type, subType, registrationId } = asset;
  if (of.constants.hasNonces && !of.isInForce('aip36')) return 'is an entity, but AIP 36 is not in force';
  if (action === Action.Register) {
    const name = of.ledger.delegates.get(senderPublicKey)?.username;
    const isOwn = type !== DELEGATE || objectIn(asset, 'data')['name'] === name;
    return isOwn ? null : `registers a delegate as an entity, but its sender is ${name ?? 'no delegate'}`;
  }
  const known = typeof registrationId === 'string' ? entities[registrationId] : undefined;
  if (known === undefined) return 'changes an entity that its sender has not registered';
  if (known.resigned) return 'changes an entity that has resigned';
  return known.type === type && known.subType === subType ? null : 'changes an entity of another type';
});

export const entity: TypeDefinition = {
  ...MAGISTRATE,
  // Core 2.7 calls `throwIfCannotBeApplied` and does not await it.
  needsNoSecondSignature: true,
  write: (writer, { asset }) => {
    const part = partOf(asset, null, ['type', 'subType', 'action', 'registrationId', 'data']);
    for (const key of ['type', 'subType', 'action']) writeByte(writer, part, key);
    if (part['registrationId'] === undefined) writer.u8(0);
    else writeHash(writer.u8(HASH_BYTES), part, 'registrationId');
    const data = part['data'] ?? {};
    if (!isObject(data) || Object.keys(data).some((key) => !ENTITY_DATA.includes(key)))
      return malformed('data');
    for (const key of ENTITY_DATA) writeText(writer, data, key);
  },
  read: (reader) => {
    const numbers = { type: reader.u8(), subType: reader.u8(), action: reader.u8() };
    const registrationId = reader.short().toString('hex');
    const data = readTexts(reader, ENTITY_DATA);
    const other = { ...numbers, ...(registrationId === '' ? {} : { registrationId }), data };
    return { asset: { other } };
  },
  check,
  apply: amending((attributes, asset, id) => {
    const changed = changedEntity(attributes, asset, id);
    if (changed === undefined) return attributes;
    return { ...attributes, entities: { ...attributes.entities, [changed[0]]: changed[1] } };
  }),
};
