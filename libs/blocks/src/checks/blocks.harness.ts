import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  parseNetwork,
  sha256,
  type Block,
  type Exceptions,
  type Network,
  type Transaction,
} from '@roundhouse/chain';
import { decodeBlock } from '../json/raw-block.js';
import { computeBlockId, computePayloadHash } from './check-block.js';

const fromRoot = (path: string): URL => new URL(`../../../../${path}`, import.meta.url);

export type Json = Record<string, unknown>;

const unzipped = (path: string): Buffer => {
  const bytes = readFileSync(fromRoot(`test-data/${path}`));
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};

/**
 * The lines of a file under `test-data`, gzipped or not. Numbers beyond 2^53 lose digits, but amounts that matter here are text
 * or smaller.
 */
export const readLines = <T = Json>(path: string): T[] =>
  unzipped(path)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

export const readNetwork = (path: string): Network =>
  parseNetwork(JSON.parse(readFileSync(fromRoot(path), 'utf8')));

/** The exceptions of a network's preset; tables that it lacks are empty. */
export const presetExceptions = (name: 'mainnet' | 'devnet'): Required<Exceptions> => {
  const none = {
    blocks: [],
    transactions: [],
    outlookTable: {},
    transactionIdFixTable: {},
    wrongTransactionOrder: {},
    blocksTransactions: {},
    negativeBalances: {},
  };
  return { ...none, ...readNetwork(`libs/source/presets/${name}.json`).exceptions };
};

/** The blocks of a recorded chain, or of another archive under `test-data`. */
export const recordedBlocks = (path: string): Block[] =>
  readLines(path.includes('.ndjson') ? path : `${path}/chain.ndjson.gz`).map(decodeBlock);

/** A transaction of an unknown type, so any id is right. */
export const aTransaction = (id: string, change: Partial<Transaction> = {}): Transaction => ({
  id,
  version: 2,
  network: 23,
  type: 0,
  typeGroup: 1001,
  timestamp: null,
  nonce: 1n,
  senderPublicKey: `02${'ab'.repeat(32)}`,
  recipientId: 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri',
  amount: 9_007_199_254_740_993n,
  fee: 10n,
  expiration: 0,
  vendorField: null,
  asset: null,
  signature: 'ab'.repeat(64),
  secondSignature: null,
  signatures: null,
  ...change,
});

/** A block of these transactions that is right except for `change`; its id is computed from the contents. */
export const aBlock = (
  transactions: readonly Transaction[] = [],
  change: Partial<Block> = {},
  idFullSha256 = false,
): Block => {
  const block = {
    version: 0,
    timestamp: 16,
    height: 3,
    previousBlock: '17184958558311101492',
    numberOfTransactions: transactions.length,
    totalAmount: transactions.reduce((sum, transaction) => sum + transaction.amount, 0n),
    totalFee: transactions.reduce((sum, transaction) => sum + transaction.fee, 0n),
    reward: 0n,
    payloadLength: 32 * transactions.length,
    payloadHash: computePayloadHash(transactions.map(({ id }) => id)),
    generatorPublicKey: `03${'cd'.repeat(32)}`,
    blockSignature: '3044ab',
    transactions,
    ...change,
  };
  return { id: computeBlockId(block, idFullSha256), ...block };
};

export const hashOf = (name: string): string => sha256(name).toString('hex');
