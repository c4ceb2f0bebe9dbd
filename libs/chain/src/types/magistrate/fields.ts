import type { Attributes } from '../../accounts/attributes.js';
import type { ByteReader } from '../../bytes/byte-reader.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { UnserialisableError } from '../../bytes/unserialisable.error.js';
import { otherOf } from '../../fields/asset-fields.js';
import {} from '../../fields/fields.js';
import type { TransactionAsset } from '../../transactions/transaction.js';
import { required } from '../../bytes/byte-writer.js';
import type { Effect, TypeDefinition } from '../definition.js';
import { moveIfAny } from '../unknown.js';

const HASH = /^[0-9a-f]{64}$/;
const PORTS_END = 2 ** 16;

/** Types of group 2 (core-magistrate-crypto 3.9) keep their assets as they are. */
export const MAGISTRATE: Pick<TypeDefinition, 'readAsset' | 'writeAsset'> = {
  readAsset: otherOf,
  writeAsset: ({ other }) => other,
};

/** The type only costs a fee, and changes the attributes of its sender. `change` gets what the transaction has of an asset. */
export const amending =
  (change: (attributes: Attributes, asset: Json, id: string) => Attributes): Effect =>
  (transaction, context) => {
    moveIfAny(transaction, context);
    const { id, asset } = transaction;
    context.ledger.amend(context.sender, (attributes) => change(attributes, asset?.other ?? {}, id));
  };

/** The part of an object with this name; empty if it has none. */
export const objectIn = (whole: Json, name: string): Json => {
  const part = whole[name];
  return isObject(part) ? part : {};
};

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const malformed = (name: string): never => {
  throw new UnserialisableError(`has a malformed "asset.${name}"`);
};

/** The asset, or the part of it with this name. It must have no keys but these: others would not be signed. */
export const partOf = (
  asset: TransactionAsset | null,
  name: string | null,
  keys: readonly string[],
): Json => {
  const whole = required(asset?.other, 'asset');
  const part = name === null ? whole : whole[name];
  if (!isObject(part)) return malformed(name ?? '');
  if (name !== null && Object.keys(whole).length > 1) return malformed(name);
  const unknown = Object.keys(part).find((key) => !keys.includes(key));
  return unknown === undefined ? part : malformed(unknown);
};

export const writeText = (writer: ByteWriter, part: Json, key: string): void => {
  const value = part[key] ?? '';
  if (typeof value !== 'string') return malformed(key);
  writer.short(Buffer.from(value));
};

export const writeHash = (writer: ByteWriter, part: Json, key: string): void => {
  const value = part[key];
  if (typeof value !== 'string' || !HASH.test(value)) return malformed(key);
  writer.hex(value);
};

export const writeByte = (writer: ByteWriter, part: Json, key: string): void => {
  const value = part[key];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255)
    return malformed(key);
  writer.u8(value);
};

export const writeSeedNodes = (writer: ByteWriter, part: Json): void => {
  const nodes: unknown = part['seedNodes'] ?? [];
  if (!Array.isArray(nodes) || nodes.length > 255) return malformed('seedNodes');
  writer.u8(nodes.length);
  for (const node of nodes as unknown[]) {
    if (typeof node !== 'string') return malformed('seedNodes');
    writer.short(Buffer.from(node));
  }
};

/** The ports are signed in the order of the object's keys. */
export const writePorts = (writer: ByteWriter, { ports = {} }: Json): void => {
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
export const readTexts = (reader: ByteReader, keys: readonly string[]): Json =>
  Object.fromEntries(keys.map((key) => [key, reader.shortText()] as const).filter(([, text]) => text !== ''));

export const readSeedNodes = (reader: ByteReader): string[] =>
  Array.from({ length: reader.u8() }, () => reader.shortText());

export const readPorts = (reader: ByteReader): Record<string, number> =>
  Object.fromEntries(Array.from({ length: reader.u8() }, () => [reader.shortText(), reader.u16()] as const));
