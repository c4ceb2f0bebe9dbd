import type { Block, Transaction } from '@roundhouse/chain';
import { decodeBlock } from '@roundhouse/blocks';
import { decodeLine } from '../archive/decode-line.js';
import { refusal } from '../refusal.harness.js';
import { ASSET_BORDERS, BLOCK, BLOCK_BORDERS, TRANSACTION, TRANSACTION_BORDERS } from './columns.harness.js';

const lineOf = (changes: object, transaction: object = TRANSACTION): string =>
  JSON.stringify({ ...BLOCK, transactions: [transaction], ...changes });

const decoded = (line: string, height: number): Block => decodeLine('a file', line, height, decodeBlock);

/** The value of a field that is missing in the source. Fields that are not listed here are null if they are missing. */
const ABSENT: Readonly<Record<string, unknown>> = { version: 1, typeGroup: 1, timestamp: 0, expiration: 0 };

const COLUMNS = [
  ...Object.entries(BLOCK_BORDERS).map(([path, border]) => ({
    ...border,
    path,
    absent: undefined,
    line: (value: unknown) => lineOf({ [path]: value }),
    at: (block: Block): unknown => block[path as keyof Block],
  })),
  ...Object.entries(TRANSACTION_BORDERS).map(([field, border]) => ({
    ...border,
    path: `transactions[0].${field}`,
    absent: ABSENT[field] ?? null,
    line: (value: unknown) => {
      // Version 1 has no nonce, and signs no expiration.
      const version = field === 'nonce' || field === 'expiration' ? { version: 2 } : {};
      return lineOf({}, { ...TRANSACTION, ...version, [field]: value });
    },
    at: ({ transactions }: Block): unknown => transactions[0]![field as keyof Transaction],
  })),
  ...ASSET_BORDERS.map(({ path, type, of, at, ...border }) => ({
    ...border,
    path: `transactions[0].${path}`,
    absent: undefined,
    line: (value: unknown) => lineOf({}, { ...TRANSACTION, type, asset: of(value) }),
    at: ({ transactions }: Block): unknown => at(transactions[0]!.asset!),
  })),
];

describe.each(COLUMNS)('the column of $path', ({ path, taken, refused, absent, line, at }) => {
  it.each(taken.map((value) => [value]))('accepts %p', (value) => {
    const height = path === 'height' ? (value as number) : BLOCK.height;
    const read = at(decoded(line(value), height));
    expect(read).toEqual(typeof read === 'bigint' ? BigInt(value as string) : (value ?? absent));
  });

  it.each(refused.map((value) => [value]))('refuses %p and names height and field', (value) => {
    const says = `at height ${BLOCK.height} in an invalid form: "${path}" `;
    const refused = (): Block => decoded(line(value), BLOCK.height);
    expect(refused).toThrow(expect.objectContaining(refusal(says)) as Error);
  });
});

it('an amount that another program has shortened is told apart from a wrong one', () => {
  const line = lineOf({}).replace(/"reward":[^,]+/, '"reward":1e+16');
  expect(() => decoded(line, BLOCK.height)).toThrow(
    /"reward" is 10000000000000000, but must be written with all its digits: some program, such as jq 1\.6,/,
  );
});
