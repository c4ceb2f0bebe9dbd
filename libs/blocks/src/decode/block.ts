import {
  amountOf,
  blockIdOf,
  countOf,
  decodeEach,
  hashOf,
  heightOf,
  hexOf,
  isAbsent,
  isNoBlockId,
  listOf,
  NO_BLOCK_ID,
  objectOf,
  publicKeyOf,
  within,
  type Block,
  type BlockHeader,
  type BlockRef,
  type JsonObject,
} from '@roundhouse/chain';
import { decodeTransaction } from './transaction.js';

// The genesis block's previous block is null, absent or zeros, depending on the source.
const previousIdOf = (record: JsonObject, key: string, height: number): string =>
  height === 1 && (isAbsent(record, key) || isNoBlockId(record[key])) ? NO_BLOCK_ID : blockIdOf(record, key);

/** Decodes the height and the id of a block. */
export const decodeRef = (value: unknown): BlockRef => {
  const block = objectOf(value);
  return { height: heightOf(block, 'height'), id: blockIdOf(block, 'id') };
};

/**
 * Decodes a raw header: from a peer, an archive, a database row with camel-case names, or 3.x with
 * `transform=false`.
 */
export const decodeHeader = (value: unknown): BlockHeader => {
  const block = objectOf(value);
  const height = heightOf(block, 'height');
  return {
    height,
    id: blockIdOf(block, 'id'),
    version: countOf(block, 'version'),
    timestamp: countOf(block, 'timestamp'),
    previousBlock: previousIdOf(block, 'previousBlock', height),
    numberOfTransactions: countOf(block, 'numberOfTransactions'),
    totalAmount: amountOf(block, 'totalAmount'),
    totalFee: amountOf(block, 'totalFee'),
    reward: amountOf(block, 'reward'),
    payloadLength: countOf(block, 'payloadLength'),
    payloadHash: hashOf(block, 'payloadHash'),
    generatorPublicKey: publicKeyOf(block, 'generatorPublicKey'),
    blockSignature: hexOf(block, 'blockSignature'),
  };
};

/** Decodes a raw block with its transactions, in payload order: a line of an archive. */
export const decodeBlock = (value: unknown): Block => {
  const block = objectOf(value);
  const header = decodeHeader(block);
  const list = listOf(block, 'transactions');
  const transactions =
    list.length === 0 ? [] : within('transactions', () => decodeEach(list, decodeTransaction));
  return { ...header, transactions };
};

const nested = <T>(block: JsonObject, key: string, decode: (inner: JsonObject) => T): T => {
  const inner = objectOf(block[key], key);
  return within(key, () => decode(inner));
};

/** Decodes a header as the public API of 2.x shows it (and 3.x unless asked for `transform=false`). */
export const decodeTransformedHeader = (value: unknown): BlockHeader => {
  const block = objectOf(value);
  const height = heightOf(block, 'height');
  return {
    height,
    id: blockIdOf(block, 'id'),
    version: countOf(block, 'version'),
    previousBlock: previousIdOf(block, 'previous', height),
    ...nested(block, 'forged', (forged) => ({
      reward: amountOf(forged, 'reward'),
      totalFee: amountOf(forged, 'fee'),
      totalAmount: amountOf(forged, 'amount'),
    })),
    ...nested(block, 'payload', (payload) => ({
      payloadHash: hashOf(payload, 'hash'),
      payloadLength: countOf(payload, 'length'),
    })),
    generatorPublicKey: nested(block, 'generator', (generator) => publicKeyOf(generator, 'publicKey')),
    blockSignature: hexOf(block, 'signature'),
    numberOfTransactions: countOf(block, 'transactions'),
    timestamp: nested(block, 'timestamp', (timestamp) => countOf(timestamp, 'epoch')),
  };
};
