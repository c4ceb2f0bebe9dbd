// How answers of Core's version 2 look: JSON Schema, for its OpenAPI document. Amounts are decimal text, in arktoshi.

/** JSON Schema as OpenAPI 3.1 has it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const whole = { type: 'integer' };
const amount = { type: 'string', pattern: '^-?[0-9]+$' };
/** A node answers with the number 0 for a type that it finds no transaction of. */
const amountOrZero = { ...amount, type: ['string', 'integer'] };
const free = { type: 'object', additionalProperties: true };
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const byName = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });

/** An object with exactly these fields, of which some may be absent. */
const object = <Properties extends Readonly<Record<string, JsonSchema>>>(
  properties: Properties,
  ...optional: readonly (keyof Properties)[]
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const TIME = object({ epoch: whole, unix: whole, human: { type: 'string', format: 'date-time' } });
const END = object({ height: whole, id: text, timestamp: TIME });

/** The objects of answers, by their names in the document. */
export const CORE_SCHEMAS = {
  CoreTime: TIME,
  CoreError: object({ statusCode: whole, error: text, message: text }),
  CoreMeta: object({
    ...{ totalCountIsEstimate: flag, count: whole, pageCount: whole, totalCount: whole },
    ...{ next: { type: ['string', 'null'] }, previous: { type: ['string', 'null'] } },
    ...{ self: text, first: text, last: text },
  }),
  CoreBlock: object({
    ...{ id: text, version: whole, height: whole, previous: text },
    forged: object({ reward: amount, fee: amount, amount, total: amount }),
    payload: object({ hash: text, length: whole }),
    generator: object({ username: text, address: text, publicKey: text }, 'username'),
    ...{ signature: text, confirmations: whole, transactions: whole, timestamp: ref('CoreTime') },
  }),
  CoreRawBlock: object(
    {
      ...{ id: text, version: whole, timestamp: whole, previousBlock: text, height: whole },
      ...{ numberOfTransactions: whole, totalAmount: amount, totalFee: amount, reward: amount },
      ...{ payloadLength: whole, payloadHash: text, generatorPublicKey: text, blockSignature: text },
      ...{ idHex: text, previousBlockHex: text },
    },
    ...(['idHex', 'previousBlockHex'] as const),
  ),
  CoreTransaction: object(
    {
      ...{ id: text, blockId: text, version: whole, type: whole, typeGroup: whole, amount, fee: amount },
      ...{ sender: text, senderPublicKey: text, recipient: text, signature: text, signSignature: text },
      ...{ signatures: listOf(text), vendorField: text, asset: free, confirmations: whole },
      ...{ timestamp: ref('CoreTime'), nonce: amount },
    },
    ...(['signature', 'signSignature', 'signatures', 'vendorField', 'asset', 'timestamp'] as const),
  ),
  CoreRawTransaction: object(
    {
      ...{ version: whole, network: whole, typeGroup: whole, type: whole, timestamp: whole, nonce: amount },
      ...{ senderPublicKey: text, fee: amount, amount, vendorField: text, expiration: whole },
      ...{ recipientId: text, asset: free, signature: text, secondSignature: text },
      ...{ signatures: listOf(text), id: text, blockId: text, blockHeight: whole, sequence: whole },
    },
    ...(['timestamp', 'vendorField', 'expiration', 'recipientId', 'asset'] as const),
    ...(['signature', 'secondSignature', 'signatures'] as const),
  ),
  CoreWallet: object(
    { address: text, publicKey: text, balance: amount, nonce: amount, attributes: free },
    'publicKey',
  ),
  CoreDelegate: object(
    {
      ...{ username: text, address: text, publicKey: text, votes: amount, rank: whole, isResigned: flag },
      blocks: object(
        { produced: whole, last: object({ id: text, height: whole, timestamp: ref('CoreTime') }) },
        'last',
      ),
      production: object({ approval: { type: 'number' } }),
      forged: object({ fees: amount, rewards: amount, total: amount }),
    },
    'rank',
  ),
  CoreLock: object(
    {
      ...{ lockId: text, senderPublicKey: text, isExpired: flag, amount, secretHash: text },
      ...{ recipientId: text, timestamp: ref('CoreTime'), expirationType: whole },
      ...{ expirationValue: whole, vendorField: text },
    },
    'vendorField',
  ),
  CoreEntity: object({
    ...{ id: text, publicKey: text, address: text, isResigned: flag, type: whole, subType: whole },
    data: free,
  }),
  CorePeer: object({
    ...{ ip: text, port: whole, ports: byName(whole), version: text, height: whole, latency: whole },
    plugins: free,
  }),
  CoreForger: object({ publicKey: text, votes: amount }),
  CoreFees: object({ avg: amountOrZero, max: amountOrZero, min: amountOrZero, sum: amountOrZero }),
  CoreConfiguration: object(
    {
      core: object({ version: text }),
      ...{ nethash: text, slip44: whole, wif: whole, token: text, symbol: text, explorer: text },
      ...{
        version: whole,
        ports: byName({ type: ['integer', 'null'] }),
        constants: free,
        transactionPool: free,
      },
    },
    // As far as the network's file has them.
    ...(['slip44', 'wif'] as const),
  ),
  CoreCrypto: object({ network: free, exceptions: free, milestones: listOf(free), genesisBlock: free }),
} as const satisfies Readonly<Record<string, JsonSchema>>;

type SchemaName = keyof typeof CORE_SCHEMAS;

/** The first of several is what a request gets that says nothing about `transform`. */
const oneOf = (names: readonly SchemaName[]): JsonSchema =>
  names.length === 1 ? ref(names[0]!) : { anyOf: names.map(ref) };

const answer = (data: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}) =>
  object({ ...more, data });

/** An answer that has one object. */
export const one = (...names: readonly SchemaName[]): JsonSchema => answer(oneOf(names));

/** A page of a list. */
export const many = (...names: readonly SchemaName[]): JsonSchema =>
  answer(listOf(oneOf(names)), { meta: ref('CoreMeta') });

/** Answers that several routes have, and those that no name above describes. */
export const CORE_ANSWERS = {
  block: one('CoreBlock', 'CoreRawBlock'),
  blocks: many('CoreBlock', 'CoreRawBlock'),
  transaction: one('CoreTransaction', 'CoreRawTransaction'),
  transactions: many('CoreTransaction', 'CoreRawTransaction'),
  blockchain: answer(object({ block: object({ height: whole, id: text }), supply: amount })),
  // No node has `ended`: it is there once the chain has ended.
  status: answer(
    object({ synced: flag, now: whole, blocksCount: whole, timestamp: whole, ended: END }, 'ended'),
  ),
  syncing: answer(object({ syncing: flag, blocks: whole, height: whole, id: text })),
  // By group, then by name.
  fees: answer(byName(byName(ref('CoreFees'))), { meta: object({ days: whole }, 'days') }),
  staticFees: answer(byName(byName(amount))),
  types: answer(byName(byName(whole))),
  schemas: answer(byName(byName(free))),
  forgers: answer(listOf(ref('CoreForger'))),
} as const satisfies Readonly<Record<string, JsonSchema>>;
