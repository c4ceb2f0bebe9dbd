import type { Block, Transaction } from '@roundhouse/chain';
import { blockOfText, BlockText, LineReader } from '@roundhouse/blocks';
import { decodeLine } from '../archive/decode-line.js';
import { NodeProtocolError } from '../errors/node-errors.js';
import { decodeBlock } from './block.js';
import { ASSET_BORDERS, BLOCK_BORDERS, TRANSACTION_BORDERS } from './columns.harness.js';

const HEIGHT = 77;

const transaction: Record<string, unknown> = {
  id: 'ef'.repeat(32),
  type: 0,
  typeGroup: 1,
  senderPublicKey: `02${'ab'.repeat(32)}`,
  recipientId: 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri',
  amount: '1',
  fee: '1',
};

const block = (changes: Record<string, unknown>, changed = transaction): string =>
  JSON.stringify({
    id: '1',
    version: 0,
    timestamp: 8,
    height: HEIGHT,
    previousBlock: '1',
    numberOfTransactions: 1,
    totalAmount: '1',
    totalFee: '1',
    reward: '0',
    payloadLength: 32,
    payloadHash: 'ef'.repeat(32),
    generatorPublicKey: `02${'ab'.repeat(32)}`,
    blockSignature: '3044ab',
    transactions: [changed],
    ...changes,
  });

/** The slow path: for single lines, and for lines that the fast path cannot read. */
const decoded = (line: string, height = HEIGHT): Block => decodeLine('a file', line, height, decodeBlock);

/** The fast path of archives and databases. Returns null for a line that needs the slow path. */
const read = (line: string): Block | null => {
  const bytes = Buffer.from(`${line}\n`);
  const text = new BlockText();
  return new LineReader().read(bytes, 0, bytes.length - 1, text) ? blockOfText(text) : null;
};

const expectTaken = (
  line: string,
  height: number,
  valueOf: (block: Block) => unknown,
  value: unknown,
): void => {
  const expected = typeof valueOf(decoded(line, height)) === 'bigint' ? BigInt(value as string) : value;
  expect(valueOf(decoded(line, height))).toEqual(expected);
  const text = read(line);
  if (text !== null) expect(valueOf(text)).toEqual(expected);
};

const expectRefused = (line: string, path: string, height: number): void => {
  expect(read(line)).toBeNull();
  const refusal = (): Block => decoded(line, height);
  expect(refusal).toThrow(NodeProtocolError);
  expect(refusal).toThrow(`at height ${height} in an invalid form: "${path}" `);
};

describe.each(Object.entries(BLOCK_BORDERS))('the column of a block’s %s', (field, { taken, refused }) => {
  it.each(taken.map((value) => [value]))('accepts %p', (value) => {
    const height = field === 'height' ? (value as number) : HEIGHT;
    expectTaken(block({ [field]: value }), height, (of) => of[field as keyof Block], value);
  });

  it.each(refused.map((value) => [value]))('refuses %p and names height and field', (value) => {
    expectRefused(block({ [field]: value }), field, HEIGHT);
  });
});

/** The value of a field that is missing in the source. Fields that are not listed here are null if they are missing. */
const ABSENT: Readonly<Record<string, unknown>> = { version: 1, typeGroup: 1, timestamp: 0, expiration: 0 };

describe.each(Object.entries(TRANSACTION_BORDERS))(
  'the column of a transaction’s %s',
  (field, { taken, refused }) => {
    const absent = ABSENT[field] ?? null;
    // Version 1 has no nonce, and signs no expiration.
    const isOfVersion2 = field === 'nonce' || field === 'expiration';
    const basis = { ...transaction, ...(isOfVersion2 ? { version: 2 } : {}) };

    it.each(taken.map((value) => [value]))('accepts %p', (value) => {
      const line = block({}, { ...basis, [field]: value });
      const valueOf = ({ transactions }: Block): unknown => transactions[0]![field as keyof Transaction];
      expectTaken(line, HEIGHT, valueOf, value ?? absent);
    });

    it.each(refused.map((value) => [value]))('refuses %p and names height and field', (value) => {
      expectRefused(block({}, { ...basis, [field]: value }), `transactions[0].${field}`, HEIGHT);
    });
  },
);

describe.each(ASSET_BORDERS)('the field $path of an asset', ({ path, type, of, taken, refused }) => {
  const line = (value: unknown): string => block({}, { ...transaction, type, asset: of(value) });

  it.each(taken.map((value) => [value]))('accepts %p', (value) => {
    const asset = JSON.stringify(decoded(line(value)).transactions[0]!.asset, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? inner.toString() : inner,
    );
    expect(asset).toContain(typeof value === 'number' ? String(value) : JSON.stringify(value).slice(1, -1));
  });

  it.each(refused.map((value) => [value]))('refuses %p and names height and field', (value) => {
    expectRefused(line(value), `transactions[0].${path}`, HEIGHT);
  });
});
