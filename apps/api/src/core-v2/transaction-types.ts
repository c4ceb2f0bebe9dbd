// What a node tells about types of transactions: names, fees and schemas. Source: the answers of a Core 3.9.1 node.

export interface NodeType {
  readonly key: string;
  readonly typeGroup: number;
  readonly type: number;
  /** In arktoshi, where no milestone has one. */
  readonly fee: bigint;
  /** Names of milestones: all must be in force, and none of the second. */
  readonly since?: readonly string[];
  readonly until?: string;
}

const core = (key: string, type: number, fee: bigint, ...since: readonly string[]): NodeType => ({
  ...{ key, typeGroup: 1, type, fee, since },
});

const business = (key: string, type: number): NodeType => ({
  ...{ key, typeGroup: 2, type, fee: 5_000_000_000n, since: ['aip11'], until: 'aip36' },
});

/** In the node's order. */
export const NODE_TYPES: readonly NodeType[] = [
  ...[core('transfer', 0, 10_000_000n), core('secondSignature', 1, 500_000_000n)],
  ...[core('delegateRegistration', 2, 2_500_000_000n), core('vote', 3, 100_000_000n)],
  ...[core('multiSignature', 4, 500_000_000n), core('ipfs', 5, 500_000_000n, 'aip11')],
  core('multiPayment', 6, 10_000_000n, 'aip11'),
  core('delegateResignation', 7, 2_500_000_000n, 'aip11'),
  core('htlcLock', 8, 10_000_000n, 'aip11', 'htlcEnabled'),
  core('htlcClaim', 9, 0n, 'aip11', 'htlcEnabled'),
  core('htlcRefund', 10, 0n, 'aip11', 'htlcEnabled'),
  ...[business('businessRegistration', 0), business('businessResignation', 1), business('businessUpdate', 2)],
  ...[business('bridgechainRegistration', 3), business('bridgechainResignation', 4)],
  business('bridgechainUpdate', 5),
  { key: 'entity', typeGroup: 2, type: 6, fee: 5_000_000_000n, since: ['aip36'] },
];

type Constants = Readonly<Record<string, unknown>>;

/** The types that are in force. */
export const typesAt = (constants: Constants): readonly NodeType[] =>
  NODE_TYPES.filter(
    ({ since = [], until }) =>
      since.every((name) => constants[name] === true) && (until === undefined || constants[until] !== true),
  );

/** From this milestone on, group 2 has only entities. */
export const hasEntities = ({ aip36 }: Constants): boolean => aip36 === true;

/** The fees of entities, which no milestone changes: arktoshi. */
export const ENTITY_FEES: Readonly<Record<string, bigint>> = {
  entityRegistration: 5_000_000_000n,
  entityResignation: 500_000_000n,
  entityUpdate: 500_000_000n,
};

/** An object for each type group. */
export const byGroup = <Type extends { readonly typeGroup: number }, T>(
  types: readonly Type[],
  nameOf: (type: Type) => string,
  valueOf: (type: Type) => T,
): Record<string, Record<string, T>> => {
  const groups: Record<string, Record<string, T>> = {};
  for (const type of types) (groups[type.typeGroup] ??= {})[nameOf(type)] = valueOf(type);
  return groups;
};

const ref = (name: string) => ({ $ref: name });
const numberOf = (minimum: number, more: object = {}) => ({
  bignumber: { minimum, bypassGenesis: true, ...more },
});
const integer = (minimum: number, maximum?: unknown) => ({
  ...{ type: 'integer', minimum, ...(maximum !== undefined && { maximum }) },
});
const object = (properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) => ({
  ...{ type: 'object', required, properties },
});
const list = (minItems: unknown, maxItems: unknown, items: object, uniqueItems?: boolean) => ({
  ...{ type: 'array', minItems, ...(maxItems !== undefined && { maxItems }), additionalItems: false },
  ...{ ...(uniqueItems !== undefined && { uniqueItems }), items },
});
const sized = (minLength: number, maxLength: number, name: string) => ({
  allOf: [{ minLength, maxLength }, ref(name)],
});

const SIGNATURE = sized(130, 130, 'alphanumeric');

const BASE = {
  id: { anyOf: [ref('transactionId'), { type: 'null' }] },
  version: { enum: [1, 2] },
  network: ref('networkByte'),
  timestamp: integer(0),
  nonce: { bignumber: { minimum: 0 } },
  typeGroup: integer(0),
  amount: numberOf(0, { maximum: 0 }),
  fee: numberOf(1),
  senderPublicKey: ref('publicKey'),
  signature: ref('alphanumeric'),
  secondSignature: ref('alphanumeric'),
  signSignature: ref('alphanumeric'),
  signatures: list(1, 16, SIGNATURE, true),
};

const VENDOR_FIELD = {
  vendorField: { anyOf: [{ type: 'null' }, { type: 'string', format: 'vendorField' }] },
};
const RECIPIENT = { recipientId: ref('address') };
const PAID = { amount: numberOf(1) };
const FREE = { fee: numberOf(0, { maximum: 0 }) };
const SECRET = sized(64, 64, 'hex');

const asset = (properties: Readonly<Record<string, unknown>>) => ({ asset: object(properties) });

const MEMBERS = object({
  min: integer(1, { $data: '1/publicKeys/length' }),
  publicKeys: list(1, 16, ref('publicKey'), true),
});

const LEGACY_MEMBERS = object({
  keysgroup: list(1, 16, {
    allOf: [{ type: 'string', minimum: 67, maximum: 67, transform: ['toLowerCase'] }],
  }),
  ...{ min: integer(1, { $data: '1/keysgroup/length' }), lifetime: integer(1, 72) },
});

const MAGISTRATE = { typeGroup: { ...integer(0), const: 2 }, fee: numberOf(0) };

const closed = (schema: object) => ({ ...schema, additionalProperties: false });

const anyOf = (properties: object) => ({
  ...{ properties, anyOf: Object.keys(properties).map((name) => ({ required: [name] })) },
});

const BUSINESS = {
  ...{ name: ref('genericName'), website: ref('uri') },
  ...{ vat: { type: 'string', minLength: 8, maxLength: 15, ...ref('alphanumeric') }, repository: ref('uri') },
};

const PORTS = {
  ...{ type: 'object', minProperties: 1, maxProperties: 10, required: ['@arkecosystem/core-api'] },
  patternProperties: { '^.{1,214}$': integer(0, 65_535) },
};
const BRIDGECHAIN = {
  seedNodes: {
    ...{ type: 'array', minItems: 1, maxItems: 10, uniqueItems: true },
    items: { type: 'string', format: 'peer' },
  },
  ...{ ports: closed(PORTS), bridgechainRepository: ref('uri'), bridgechainAssetRepository: ref('uri') },
};
const BRIDGECHAIN_ID = { bridgechainId: ref('transactionId') };
const NEW_BRIDGECHAIN = object(
  { name: ref('genericName'), genesisHash: ref('transactionId'), ...BRIDGECHAIN },
  ['name', 'seedNodes', 'genesisHash', 'bridgechainRepository', 'ports'],
);

const entity = (action: number, required: readonly string[], data: object) =>
  closed({
    required: ['type', 'subType', 'action', 'data', ...required],
    properties: {
      ...{ type: integer(0, 255), subType: integer(0, 255), registrationId: ref('transactionId') },
      ...{ action: { const: action }, data: closed({ type: 'object', ...data }) },
    },
  });

const ENTITY_NAME = { type: 'string', pattern: '^[a-zA-Z0-9_!@$&.-]+$', minLength: 1, maxLength: 40 };
const IPFS_DATA = { ipfsData: { allOf: [ref('base58'), { type: 'string', minLength: 1, maxLength: 128 }] } };

/** By the key of a type: what differs from `BASE`. */
const SCHEMAS: Readonly<Record<string, object>> = {
  transfer: { ...PAID, ...VENDOR_FIELD, ...RECIPIENT, expiration: integer(0) },
  secondSignature: {
    secondSignature: { ...ref('alphanumeric'), type: 'null' },
    ...asset({ signature: object({ publicKey: ref('publicKey') }) }),
  },
  delegateRegistration: asset({ delegate: object({ username: ref('delegateUsername') }) }),
  vote: { ...RECIPIENT, ...asset({ votes: list(1, 2, ref('walletVote')) }) },
  multiSignature: {
    signatures: list(
      { $data: '1/asset/multiSignature/min' },
      { $data: '1/asset/multiSignature/publicKeys/length' },
      { allOf: [...SIGNATURE.allOf, ...SIGNATURE.allOf] },
      true,
    ),
    ...asset({ multiSignature: MEMBERS }),
  },
  multiSignatureLegacy: {
    version: { ...BASE.version, anyOf: [{ type: 'null' }, { const: 1 }] },
    ...{ signatures: list(1, 1, ref('alphanumeric')), ...asset({ multiSignatureLegacy: LEGACY_MEMBERS }) },
  },
  ipfs: asset({ ipfs: sized(2, 90, 'base58') }),
  multiPayment: {
    ...VENDOR_FIELD,
    ...asset({
      payments: list(2, undefined, object({ amount: { bignumber: { minimum: 1 } }, ...RECIPIENT }), false),
    }),
  },
  delegateResignation: {},
  htlcLock: {
    ...{ ...PAID, ...RECIPIENT, ...VENDOR_FIELD },
    ...asset({
      lock: object({ secretHash: SECRET, expiration: object({ type: { enum: [1, 2] }, value: integer(0) }) }),
    }),
  },
  htlcClaim: {
    ...FREE,
    ...asset({ claim: object({ lockTransactionId: ref('transactionId'), unlockSecret: SECRET }) }),
  },
  htlcRefund: { ...FREE, ...asset({ refund: object({ lockTransactionId: ref('transactionId') }) }) },
  businessRegistration: asset({ businessRegistration: object(BUSINESS, ['name', 'website']) }),
  businessResignation: {},
  businessUpdate: { asset: closed(object({ businessUpdate: { type: 'object', ...anyOf(BUSINESS) } })) },
  bridgechainRegistration: { asset: closed(object({ bridgechainRegistration: closed(NEW_BRIDGECHAIN) })) },
  bridgechainResignation: asset({ bridgechainResignation: object(BRIDGECHAIN_ID) }),
  bridgechainUpdate: asset({
    bridgechainUpdate: {
      ...anyOf(BRIDGECHAIN),
      ...object({ ...BRIDGECHAIN_ID, ...BRIDGECHAIN }, ['bridgechainId']),
    },
  }),
  entity: {
    asset: {
      type: 'object',
      anyOf: [
        entity(0, [], { required: ['name'], properties: { name: ENTITY_NAME, ...IPFS_DATA } }),
        entity(2, ['registrationId'], { maxProperties: 0 }),
        entity(1, ['registrationId'], { properties: IPFS_DATA }),
      ],
    },
  },
};

export const schemaOf = ({ key, typeGroup, type }: NodeType, { aip11 }: Constants): object => ({
  ...{ ...BASE, ...(typeGroup === 2 && MAGISTRATE), type: { transactionType: type } },
  ...SCHEMAS[key === 'multiSignature' && aip11 !== true ? 'multiSignatureLegacy' : key],
});
