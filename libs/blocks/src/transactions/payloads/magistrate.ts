import type { TransactionAsset } from '@roundhouse/chain';
import type { ByteReader } from '../byte-reader.js';
import type { ByteWriter } from '../byte-writer.js';
import { required, type Payload } from '../payload.js';
import { UnserialisableError } from '../unserialisable.error.js';

const HASH_BYTES = 32;
const HASH = /^[0-9a-f]{64}$/;
const PORTS_END = 2 ** 16;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformed = (name: string): never => {
  throw new UnserialisableError(`has a malformed "asset.${name}"`);
};

/** The asset, or the part of it with this name. It must have no keys but these: others would not be signed. */
const partOf = (asset: TransactionAsset | null, name: string | null, keys: readonly string[]): Json => {
  const whole = required(asset?.other, 'asset');
  const part = name === null ? whole : whole[name];
  if (!isObject(part)) return malformed(name ?? '');
  if (name !== null && Object.keys(whole).length > 1) return malformed(name);
  const unknown = Object.keys(part).find((key) => !keys.includes(key));
  return unknown === undefined ? part : malformed(unknown);
};

const writeText = (writer: ByteWriter, part: Json, key: string): void => {
  const value = part[key] ?? '';
  if (typeof value !== 'string') return malformed(key);
  writer.short(Buffer.from(value));
};

const writeHash = (writer: ByteWriter, part: Json, key: string): void => {
  const value = part[key];
  if (typeof value !== 'string' || !HASH.test(value)) return malformed(key);
  writer.hex(value);
};

const writeByte = (writer: ByteWriter, part: Json, key: string): void => {
  const value = part[key];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255)
    return malformed(key);
  writer.u8(value);
};

const writeSeedNodes = (writer: ByteWriter, part: Json): void => {
  const nodes: unknown = part['seedNodes'] ?? [];
  if (!Array.isArray(nodes) || nodes.length > 255) return malformed('seedNodes');
  writer.u8(nodes.length);
  for (const node of nodes as unknown[]) {
    if (typeof node !== 'string') return malformed('seedNodes');
    writer.short(Buffer.from(node));
  }
};

/** The ports are signed in the order of the object's keys. */
const writePorts = (writer: ByteWriter, { ports = {} }: Json): void => {
  if (!isObject(ports)) return malformed('ports');
  const entries = Object.entries(ports);
  writer.u8(entries.length);
  for (const [name, port] of entries) {
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port >= PORTS_END)
      return malformed('ports');
    writer.short(Buffer.from(name)).u16(port);
  }
};

/** Reads one text per key. Omits empty ones, as Core's JSON does. */
const readTexts = (reader: ByteReader, keys: readonly string[]): Json =>
  Object.fromEntries(keys.map((key) => [key, reader.shortText()] as const).filter(([, text]) => text !== ''));

const readSeedNodes = (reader: ByteReader): string[] =>
  Array.from({ length: reader.u8() }, () => reader.shortText());

const readPorts = (reader: ByteReader): Record<string, number> =>
  Object.fromEntries(Array.from({ length: reader.u8() }, () => [reader.shortText(), reader.u16()] as const));

const BUSINESS = ['name', 'website', 'vat', 'repository'] as const;

const business = (name: string): Payload => ({
  write: (writer, { asset }) => {
    const part = partOf(asset, name, BUSINESS);
    for (const key of BUSINESS) writeText(writer, part, key);
  },
  read: (reader) => ({ asset: { other: { [name]: readTexts(reader, BUSINESS) } } }),
});

const BRIDGECHAIN = ['seedNodes', 'ports', 'bridgechainRepository', 'bridgechainAssetRepository'];

const bridgechainRegistration: Payload = {
  write: (writer, { asset }) => {
    const part = partOf(asset, 'bridgechainRegistration', ['name', 'genesisHash', ...BRIDGECHAIN]);
    writeText(writer, part, 'name');
    writeSeedNodes(writer, part);
    writeHash(writer, part, 'genesisHash');
    writeText(writer, part, 'bridgechainRepository');
    writeText(writer, part, 'bridgechainAssetRepository');
    writePorts(writer, part);
  },
  read: (reader) => {
    const name = reader.shortText();
    const seedNodes = readSeedNodes(reader);
    const genesisHash = reader.hex(HASH_BYTES);
    const bridgechainRepository = reader.shortText();
    const assets = readTexts(reader, ['bridgechainAssetRepository']);
    const ports = readPorts(reader);
    const registration = { name, seedNodes, genesisHash, bridgechainRepository, ports, ...assets };
    return { asset: { other: { bridgechainRegistration: registration } } };
  },
};

const bridgechainResignation: Payload = {
  write: (writer, { asset }) => {
    writeHash(writer, partOf(asset, 'bridgechainResignation', ['bridgechainId']), 'bridgechainId');
  },
  read: (reader) => ({
    asset: { other: { bridgechainResignation: { bridgechainId: reader.hex(HASH_BYTES) } } },
  }),
};

const bridgechainUpdate: Payload = {
  write: (writer, { asset }) => {
    const part = partOf(asset, 'bridgechainUpdate', ['bridgechainId', ...BRIDGECHAIN]);
    writeHash(writer, part, 'bridgechainId');
    writeSeedNodes(writer, part);
    writePorts(writer, part);
    writeText(writer, part, 'bridgechainRepository');
    writeText(writer, part, 'bridgechainAssetRepository');
  },
  read: (reader) => {
    const bridgechainId = reader.hex(HASH_BYTES);
    const seedNodes = readSeedNodes(reader);
    const ports = readPorts(reader);
    const texts = readTexts(reader, ['bridgechainRepository', 'bridgechainAssetRepository']);
    const update = {
      bridgechainId,
      ...(seedNodes.length > 0 ? { seedNodes } : {}),
      ...(Object.keys(ports).length > 0 ? { ports } : {}),
      ...texts,
    };
    return { asset: { other: { bridgechainUpdate: update } } };
  },
};

const ENTITY_DATA = ['name', 'ipfsData'];

const entity: Payload = {
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
};

/** A resigning business has no asset. */
const businessResignation: Payload = { write: () => undefined, read: () => ({}) };

/** Type group 2, by type (core-magistrate-crypto 3.9). */
export const MAGISTRATE_PAYLOADS: readonly Payload[] = [
  business('businessRegistration'),
  businessResignation,
  business('businessUpdate'),
  bridgechainRegistration,
  bridgechainResignation,
  bridgechainUpdate,
  entity,
];
