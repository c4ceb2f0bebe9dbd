import { describe, expect, it } from '@jest/globals';
import { blockOfText, BlockText, LineReader } from '@roundhouse/blocks';
import { type Block } from '@roundhouse/chain';
import { readRecording } from '@roundhouse/testing';
import fc from 'fast-check';
import { decodeBlock } from '../decode/block.js';
import { decodeLine } from './decode-line.js';

type Json = Record<string, unknown> & { transactions: Record<string, unknown>[] };

const recorded = [
  ...readRecording<Json>('core-2.4', 'chain.ndjson.gz'),
  ...readRecording<Json>('core-3.9', 'chain.ndjson.gz'),
];

/** A block with a transfer, so that a test can change any field. */
const busy = recorded.find(
  ({ height, transactions }) => height !== 1 && transactions[0]?.['type'] === 0 && transactions.length > 1,
)!;

const reader = new LineReader();

/** Reads the line from a buffer with other lines around it. */
const read = (line: string | Buffer): Block | null => {
  const before = Buffer.from('{"height":7}\n');
  const bytes = Buffer.concat([before, Buffer.from(line), Buffer.from('\n{"height":9}\n')]);
  const text = new BlockText();
  const end = bytes.length - Buffer.byteLength('\n{"height":9}\n');
  return reader.read(bytes, before.length, end, text) ? blockOfText(text) : null;
};

const careful = (line: string, height: unknown): Block =>
  decodeLine('a file', line, height as number, decodeBlock);

const withBlock = (change: Record<string, unknown>): string => JSON.stringify({ ...busy, ...change });

const withTransaction = (change: Record<string, unknown>): string => {
  const [first, ...rest] = busy.transactions;
  return withBlock({ transactions: [{ ...first, ...change }, ...rest] });
};

describe('reading a block from its bytes', () => {
  it('reads every block of recorded chains like the decoder', () => {
    for (const block of recorded) {
      const line = JSON.stringify(block);
      expect(read(line)).toEqual(careful(line, block['height']));
    }
  });

  it.each<[string, (block: Json) => string]>([
    ['white space as PostgreSQL writes it', (block) => JSON.stringify(block).replaceAll(/([:,{])/g, ' $1 ')],
    ['a carriage return at its end', (block) => `${JSON.stringify(block)}\r`],
    ['block ids of 64 characters', () => withBlock({ id: 'ab'.repeat(32), previousBlock: 'cd'.repeat(32) })],
    ['keys in another order', (block) => JSON.stringify(Object.fromEntries(Object.entries(block).reverse()))],
    ['amounts as numbers', (block) => JSON.stringify({ ...block, reward: Number(block['reward']) })],
    ['unused lists and objects', () => withBlock({ extra: { list: [1, { deep: '}]"\\' }], no: null } })],
    ['escapes in an unused text', () => withTransaction({ memo: 'a "quote"\n\\ \u0001 grüße 🎉' })],
    ['any unused value', () => withTransaction({ a: true, b: false, c: null, d: 0, e: '', f: [] })],
    [
      'escapes in a vendor field that is also given in hexadecimal',
      () => withTransaction({ vendorField: '"\n"', vendorFieldHex: '220a22' }),
    ],
    [
      'a vendor field beyond ASCII',
      () => withTransaction({ vendorField: 'grüße 🎉', vendorFieldHex: undefined }),
    ],
    [
      'a vendor field that is not UTF-8',
      () => withTransaction({ vendorField: '\ufffd', vendorFieldHex: 'ff' }),
    ],
    [
      'a nonce, an expiration and signatures of members',
      () =>
        withTransaction({
          version: 2,
          nonce: '18446744073709551',
          expiration: 2 ** 32 - 1,
          signature: null,
          secondSignature: undefined,
          signatures: [`00${'ab'.repeat(64)}`],
        }),
    ],
    ['a second signature under its older name', () => withTransaction({ signSignature: 'ab' })],
    ['a resignation of Core 2.4', () => withTransaction({ type: 8, recipientId: undefined })],
    ['no type group', () => withTransaction({ typeGroup: undefined })],
    ['null for optional fields', () => withTransaction({ typeGroup: null, recipientId: null, asset: null })],
    ['a recipient beyond ASCII', () => withTransaction({ recipientId: 'Ä' })],
    ['a recipient with escapes', () => withTransaction({ recipientId: 'a "quote"\n\\ \u0001' })],
    ['the largest count', () => withTransaction({ type: 2 ** 31 - 1 })],
    ['the largest block id', () => withBlock({ previousBlock: '18446744073709551615' })],
    ['the largest amount', () => withTransaction({ amount: '9223372036854775807' })],
    [
      'amounts that fill both halves',
      () => withTransaction({ amount: '4294967296', fee: '18446744069414584' }),
    ],
  ])('reads %s', (_, write) => {
    const line = write(busy);
    const expected = careful(line, busy['height']);
    expect(read(line)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['a repeated key', JSON.stringify(busy).replace('{', '{"reward":"1",')],
    ['no previous block above the genesis block', withBlock({ previousBlock: null })],
    ['a missing key', withBlock({ reward: undefined })],
    ['capital letters', withBlock({ payloadHash: (busy['payloadHash'] as string).toUpperCase() })],
    ['an invalid public key', withBlock({ generatorPublicKey: `04${'ab'.repeat(32)}` })],
    ['an odd number of hexadecimal digits', withBlock({ blockSignature: '304' })],
    ['a leading zero', withBlock({ reward: '007' })],
    ['a block id of 2^64', withBlock({ previousBlock: '18446744073709551616' })],
    ['a count of 2^31', withTransaction({ type: 2 ** 31 })],
    ['escapes in a vendor field', withTransaction({ vendorField: '"', vendorFieldHex: undefined })],
    ['a network that is no byte', withTransaction({ network: 256 })],
    ['an expiration of 2^32', withTransaction({ expiration: 2 ** 32 })],
    [
      'a vendor field of 256 bytes',
      withTransaction({ vendorField: 'ä'.repeat(128), vendorFieldHex: undefined }),
    ],
    ['a recipient of 256 characters', withTransaction({ recipientId: 'ä'.repeat(256) })],
    ['a recipient with half a surrogate pair', withTransaction({ recipientId: '\ud800' })],
    ['a sign', withBlock({ reward: '-1' })],
    ['a fraction', JSON.stringify(busy).replace(/"version":\d+/, '"version":0.5')],
    ['a number with a leading zero', JSON.stringify(busy).replace(/"version":\d+/, '"version":00')],
    ['an amount of 2^63', withTransaction({ amount: '9223372036854775808' })],
    ['an amount of 20 digits', withTransaction({ amount: '10000000000000000000' })],
    ['an amount as a number that may have lost digits', withTransaction({ amount: 2 ** 53 })],
    ['an empty amount', withTransaction({ amount: '' })],
    ['an escape in a used text', JSON.stringify(busy).replace('"id":"', '"id":"\\u0030')],
    ['a vote without its asset', withTransaction({ type: 3, asset: undefined })],
    ['a wrong vote', withTransaction({ type: 3, asset: { votes: ['+1'] } })],
    ['an error in an unused value', JSON.stringify(busy).replace('{', '{"extra":[1,,2],')],
    ['a wrong escape in an unused text', JSON.stringify(busy).replace('{', '{"extra":"\\x",')],
    ['a control character in a text', JSON.stringify(busy).replace('"reward":"', '"reward":"1\t,"x":"')],
    ['a truncated line', JSON.stringify(busy).slice(0, -1)],
    ['text after the block', `${JSON.stringify(busy)}]`],
    ['a line that is not an object', JSON.stringify([busy])],
    ['an empty line', ''],
  ])('returns nothing for %s', (_, line) => {
    expect(read(line)).toBeNull();
  });

  it('returns the same as the decoder, or nothing, for any damaged line', () => {
    const anyLine = fc.constantFrom(...recorded.slice(0, 40), busy).map((block) => JSON.stringify(block));
    const splice = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat(3),
      added: fc.oneof(
        fc.string({ maxLength: 3 }),
        fc.constantFrom('"', '\\', ',', '0', '}', '{', ' ', 'e', '.'),
      ),
    });
    fc.assert(
      fc.property(anyLine, fc.array(splice, { minLength: 1, maxLength: 3 }), (line, splices) => {
        let spliced = line;
        for (const { at, removed, added } of splices) {
          const place = Math.floor(at * spliced.length);
          spliced = spliced.slice(0, place) + added + spliced.slice(place + removed);
        }
        fc.pre(!spliced.includes('\n'));
        const block = read(spliced);
        if (block !== null) expect(block).toEqual(careful(spliced, block.height));
      }),
      { numRuns: 3_000 },
    );
  });
});
