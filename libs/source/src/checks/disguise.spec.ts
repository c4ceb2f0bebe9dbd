import {
  archiveLine,
  checkBlock,
  computeBlockId,
  computePayloadHash,
  storedBytes,
  decodeTransaction,
  decodeTransformedTransaction,
} from '@roundhouse/blocks';
import {
  addressOf,
  MilestoneSchedule,
  parseLosslessJson,
  parseNetwork,
  type Block,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';
import { aTransaction, readRecording, recordingFile, withId, type RecordedChain } from '@roundhouse/testing';
import { readFileSync } from 'node:fs';
import { SegmentDecoder } from '../archive/decode-line.js';

/** A transaction as JSON text, so that numbers keep all digits. */
type RawText = string;
/** `typeGroup/type` */
type Type = string;

const RECORDINGS: readonly RecordedChain[] = ['core-2.4', 'core-2.4-full', 'core-3.9'];
const network = parseNetwork(JSON.parse(readFileSync(recordingFile('core-3.9', 'network.json'), 'utf8')));
const constants = new MilestoneSchedule(network.milestones).at(2);
const { pubKeyHash } = network;

/** Unknown types: of Core's group, of the businesses' group, of the group of old types, and of others. */
const UNKNOWN = ['1/11', '1/99', '2/7', '2/60', '0/0', '0/6', '3/0', '1001/3', '65536/65535'];

const rawOf = (transaction: Transaction): RawText => {
  const line = parseLosslessJson(archiveLine(blockWith(transaction, [transaction]))) as Block;
  return JSON.stringify(line.transactions[0]);
};

const blockWith = (
  { id, amount, fee }: Pick<Transaction, 'id' | 'amount' | 'fee'>,
  transactions: readonly Transaction[],
): Block => {
  const header = {
    version: 0,
    timestamp: 16,
    height: 2,
    previousBlock: '1',
    numberOfTransactions: 1,
    totalAmount: amount,
    totalFee: fee,
    reward: constants.reward,
    payloadLength: 32,
    payloadHash: computePayloadHash([id]),
    generatorPublicKey: `03${'cd'.repeat(32)}`,
    blockSignature: '3044ab',
  };
  return { ...header, id: computeBlockId(header, constants.idFullSha256), transactions };
};

/** The line of a block whose transaction is this text. */
const lineOf = (raw: RawText): string => {
  const { id, amount, fee } = parseLosslessJson(raw) as { id: string; amount: string; fee: string };
  const line = archiveLine(blockWith({ id, amount: BigInt(amount), fee: BigInt(fee) }, []));
  return line.replace('"transactions":[]', `"transactions":[${raw}]`);
};

const decodeLine = async (line: string): Promise<void> => {
  const decoder = new SegmentDecoder({ source: 'a file', network, verify: 'hash' });
  decoder.decode({ firstHeight: 2, bytes: Buffer.from(`${line}\n`) }, []);
};

const check = (transaction: Transaction): void => {
  const { nethash, exceptions } = network;
  checkBlock(blockWith(transaction, [transaction]), { nethash, exceptions, pubKeyHash, constants });
};

/** As the API of Core 2.6 and 2.7 shows a transaction: without an expiration, and with a recipient in any case. */
const shown = (raw: JsonObject): JsonObject => {
  const { network: _, expiration: __, recipientId, secondSignature, timestamp, ...rest } = raw;
  const sender = addressOf(raw['senderPublicKey'] as string, pubKeyHash);
  return {
    ...rest,
    sender,
    recipient: recipientId ?? sender,
    signSignature: secondSignature,
    timestamp: { epoch: timestamp ?? 0 },
  };
};

const parsed = (raw: RawText): JsonObject => parseLosslessJson(raw) as JsonObject;

/** A row of a node's table. A node that lies has the other type in the stored bytes, too. */
const rowOf = (raw: RawText, original: RawText): JsonObject => {
  const { typeGroup, type, id, amount, fee, recipientId, asset } = parsed(raw);
  const known = decodeTransaction(parsed(original));
  const bytes = Buffer.from(storedBytes(known, pubKeyHash));
  bytes.writeUInt32LE(typeGroup as number, 3);
  bytes.writeUInt16LE(type as number, 7);
  const serialized = bytes.toString('hex');
  return { id, typeGroup, serialized, amount: `${amount as string}`, fee, recipientId, asset };
};

/** Reads and checks a transaction as each source does; `original` is what it was before its type was changed. */
const SOURCES: Readonly<Record<string, (raw: RawText, original: RawText) => Promise<void> | void>> = {
  'an archive': (raw) => decodeLine(lineOf(raw)),
  'an archive that was exported': (raw) => decodeLine(lineOf(rawOf(decodeTransaction(parsed(raw))))),
  "Core 3's API": (raw) => check(decodeTransaction(parsed(raw))),
  "Core 2's API": (raw) => check(decodeTransformedTransaction(shown(parsed(raw)))),
  "a node's database, in bulk": (raw, original) => decodeLine(lineOf(exact(rowOf(raw, original)))),
  "a node's database": (raw, original) => check(decodeTransaction(rowOf(raw, original))),
};

const refusalOf = async (read: () => Promise<void> | void): Promise<string | null> => {
  try {
    await read();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** JSON with all digits of a bigint. */
const exact = (value: unknown): RawText =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `#${each}` : each)).replace(
    /"#(\d+)"/g,
    '$1',
  );

const disguisedAs = (raw: RawText, asType: Type): RawText => {
  const [typeGroup, type] = asType.split('/').map(Number);
  return exact({ ...parsed(raw), typeGroup, type });
};

const signsNonce = (raw: RawText): boolean => {
  const { version, nonce } = parsed(raw);
  return version === 2 && nonce !== undefined;
};

/** In how many forms the transaction is accepted as what it is; `passed` gets those in which a disguise is, too. */
const tryOut = async (raw: RawText, types: readonly Type[], passed: string[]): Promise<number> => {
  let forms = 0;
  for (const [source, read] of Object.entries(SOURCES)) {
    // The bytes that a node stores of other transactions have no type group.
    if (source.includes('database') && !signsNonce(raw)) continue;
    if ((await refusalOf(() => read(raw, raw))) !== null) continue;
    forms += 1;
    for (const type of types) {
      const refusal = await refusalOf(() => read(disguisedAs(raw, type), raw));
      if (!/is of type \d+ of type group \d+(, but is given as| but has no nonce)/.test(refusal ?? ''))
        passed.push(`${source}, as ${type}: ${refusal ?? 'accepted'}: ${raw}`);
    }
  }
  return forms;
};

const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const OTHER = 'AdVSe37niA3uFUPgCgMUH2tMsHF4LpLoiX';
const OWN = addressOf(KEY, pubKeyHash);
const HASH = '12'.repeat(32);
const [signature, secondSignature, signatures] = ['ab'.repeat(64), 'cd'.repeat(64), [`00${'ef'.repeat(64)}`]];
const LARGE = 2n ** 53n + 1n;
const LAST = 2 ** 32 - 1;
const lock = {
  type: 8,
  amount: 7n,
  asset: { lock: { secretHash: HASH, expiration: { type: 1, value: LAST } } },
};
const payments = [
  { recipientId: OTHER, amount: LARGE },
  { recipientId: OWN, amount: 1n },
];
const BRIDGECHAIN = {
  seedNodes: ['1.2.3.4'],
  ports: { '@a/b': 1, '7': 2 },
  bridgechainRepository: 'https://b',
};

/** A transaction of the businesses' group. */
const business = (type: number, other?: Record<string, unknown>): Partial<Transaction> => ({
  typeGroup: 2,
  type,
  asset: other ? { other } : null,
});

/** Each known type, with and without each field that it may have. */
const MADE: Readonly<Record<string, Partial<Transaction>>> = {
  'a transfer': { recipientId: OTHER, amount: LARGE },
  'a transfer that expires': { recipientId: OTHER, expiration: 5000 },
  'a transfer with all fields': {
    recipientId: OTHER,
    expiration: LAST,
    vendorField: '00ff',
    signature,
    secondSignature,
    signatures,
  },
  'a transfer to its sender': { recipientId: OWN, amount: 1n, vendorField: '22' },
  'a second signature': { type: 1, asset: { secondPublicKey: KEY } },
  'a registration': { type: 2, asset: { username: 'true' } },
  'a vote': { type: 3, asset: { votes: [`-${KEY}`, `+${KEY}`] }, signature, secondSignature, signatures },
  members: { type: 4, asset: { multiSignature: { min: 1, publicKeys: [KEY] } }, signatures },
  'an IPFS hash': { type: 5, asset: { ipfs: 'QmR45FmbVVrixReBwJkhEKde2qwHYaQzGxu4ZoDeswuF9w' } },
  payments: { type: 6, vendorField: '61', asset: { payments } },
  'a resignation': { type: 7, secondSignature },
  'a lock': { ...lock, recipientId: OTHER },
  'a lock for its sender': { ...lock, recipientId: OWN, vendorField: '62' },
  'a claim': { type: 9, asset: { lockTransactionId: HASH, unlockSecret: HASH } },
  'a refund': { type: 10, asset: { lockTransactionId: HASH } },
  'a business': business(0, { businessRegistration: { name: 'a', website: 'b' } }),
  'the end of a business': business(1),
  'a changed business': business(2, { businessUpdate: { vat: '1' } }),
  'a bridgechain': business(3, { bridgechainRegistration: { name: 'a', genesisHash: HASH, ...BRIDGECHAIN } }),
  'the end of a bridgechain': business(4, { bridgechainResignation: { bridgechainId: HASH } }),
  'a changed bridgechain': business(5, { bridgechainUpdate: { bridgechainId: HASH, ...BRIDGECHAIN } }),
  'an entity': business(6, {
    type: 1,
    subType: 2,
    action: 0,
    registrationId: HASH,
    data: { ipfsData: 'Qm' },
  }),
};

const made = (change: Partial<Transaction>): RawText =>
  rawOf(withId(aTransaction({ network: pubKeyHash, senderPublicKey: KEY, fee: 9n, ...change }), pubKeyHash));

describe('a transaction of a known type that is given as one of an unknown type', () => {
  it.each(Object.entries(MADE))('is refused from every source if it is %s', async (_name, change) => {
    const passed: string[] = [];
    const forms = await tryOut(made(change), UNKNOWN, passed);
    expect(passed).toEqual([]);
    // Core 2 does not show expirations, so its API cannot give a transfer that has one.
    expect(forms).toBe(Object.keys(SOURCES).length - (change.expiration === undefined ? 0 : 1));
  });

  it.each<[string, string, (raw: RawText) => RawText]>([
    ['amounts as numbers', 'payments', (raw) => raw.replace(/"amount":"(\d+)"/g, '"amount":$1')],
    ['no network', 'a transfer that expires', (raw) => raw.replace(/"network":\d+,/, '')],
    ['keys in capitals', 'a vote', (raw) => raw.replace(/(?<=[+-])0\w{65}/g, (key) => key.toUpperCase())],
    ['an unsigned expiration', 'a lock', (raw) => raw.replace('{', '{"expiration":77,')],
    ['an expiration of null', 'a transfer', (raw) => raw.replace(/"expiration":0/, '"expiration":null')],
    ['an asset that its type does not have', 'a transfer', (raw) => raw.replace('{', '{"asset":{"a":1},')],
    ['further keys in its asset', 'a claim', (raw) => raw.replace('"asset":{', '"asset":{"a":1,')],
    [
      'unvotes of their own',
      'a vote',
      (raw) => raw.replace('"votes":["-', '"unvotes":["').replace('","+', '"],"votes":["'),
    ],
    [
      'an empty vendor field',
      'a resignation',
      (raw) => raw.replace('{', '{"vendorField":"","signatures":[],'),
    ],
  ])('is refused with %s (%s), too', async (_form, name, form) => {
    const passed: string[] = [];
    const raw = form(made(MADE[name]!));
    expect(raw).not.toBe(made(MADE[name]!));
    expect(await tryOut(raw, UNKNOWN, passed)).toBeGreaterThan(1);
    expect(passed).toEqual([]);
  });

  it.each(RECORDINGS)('is refused in every form of every transaction of %s', async (recording) => {
    const lines = readRecording<{ readonly transactions: readonly object[] }>(recording, 'chain.ndjson.gz');
    const passed: string[] = [];
    let forms = 0;
    for (const [place, transaction] of lines.flatMap(({ transactions }) => transactions).entries()) {
      const raw = JSON.stringify(transaction);
      forms += await tryOut(raw, [UNKNOWN[place % UNKNOWN.length]!], passed);
    }
    expect(passed).toEqual([]);
    expect(forms).toBeGreaterThan(3_000);
  });
});

describe('a transaction of a type that is unknown', () => {
  const unknown = made({ typeGroup: 1001, type: 3, recipientId: OTHER, expiration: 77 });

  it('keeps its expiration, which it may sign', async () => {
    expect(decodeTransaction(parsed(unknown)).expiration).toBe(77);
    expect(parsed(rawOf(decodeTransaction(parsed(unknown))))['expiration']).toBe(77);
    await decodeLine(lineOf(unknown));
  });

  it.each(['"soon"', '-1', '4294967296', '{}', 'null'])(
    'is accepted with an expiration of %s',
    async (value) => {
      const raw = unknown.replace('"expiration":77', `"expiration":${value}`);
      expect(decodeTransaction(parsed(raw)).expiration).toBe(0);
      await decodeLine(lineOf(raw));
    },
  );

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['1e20', '100000000000000000000'],
  ])('keeps all digits of numbers in its asset: %s', async (number, digits) => {
    const asset = { other: { a: 7 } };
    const raw = made({ typeGroup: 1001, recipientId: OTHER, asset }).replace('"a":7', `"a":${number}`);
    const decoder = new SegmentDecoder({ source: 'a file', network, verify: 'hash' });
    const taken: Block[] = [];
    decoder.decode({ firstHeight: 2, bytes: Buffer.from(lineOf(raw)) }, taken);
    expect(taken[0]!.transactions[0]!.asset).toEqual({ other: { a: digits } });
  });
});
