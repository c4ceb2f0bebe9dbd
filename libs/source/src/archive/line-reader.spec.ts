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

const BUSY = JSON.stringify(busy);

const vendor = (vendorField: string): object => ({ vendorField, vendorFieldHex: undefined });

const withBlock = (change: object): string => JSON.stringify({ ...busy, ...change });

const withTransaction = (change: object): string => {
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

  it.each<[string, string]>([
    ['white space as PostgreSQL writes it', BUSY.replaceAll(/([:,{])/g, ' $1 ')],
    ['a carriage return at its end', `${BUSY}\r`],
    ['keys in another order', JSON.stringify(Object.fromEntries(Object.entries(busy).reverse()))],
    ['amounts as numbers', withBlock({ reward: Number(busy['reward']) })],
    ['unused lists and objects', withBlock({ extra: { list: [1, { deep: '}]"\\' }], no: null } })],
    ['escapes in an unused text', withTransaction({ memo: 'a "quote"\n\\ \u0001 grüße 🎉' })],
    ['any unused value', withTransaction({ a: true, b: false, c: null, d: 0, e: '', f: [] })],
    [
      'escapes in text that is also hexadecimal',
      withTransaction({ ...vendor('"\n"'), vendorFieldHex: '220a22' }),
    ],
    ['a vendor field beyond ASCII', withTransaction(vendor('grüße 🎉'))],
    ['a vendor field that is not UTF-8', withTransaction({ ...vendor('\ufffd'), vendorFieldHex: 'ff' })],
    ['a second signature under its older name', withTransaction({ signSignature: 'ab' })],
    ['a resignation of Core 2.4', withTransaction({ type: 8, recipientId: undefined })],
    ['a recipient with escapes', withTransaction({ recipientId: 'a "quote"\n\\ \u0001' })],
    ['amounts in both halves', withTransaction({ amount: '4294967296', fee: '18446744069414584' })],
  ])('reads %s', (_, line) => {
    expect(read(line)).toEqual(careful(line, busy['height']));
  });

  it.each<[string, string]>([
    ['a repeated key', BUSY.replace('{', '{"reward":"1",')],
    ['capital letters', withBlock({ payloadHash: (busy['payloadHash'] as string).toUpperCase() })],
    ['a leading zero', withBlock({ reward: '007' })],
    ['a number with a leading zero', BUSY.replace(/"version":\d+/, '"version":00')],
    ['escapes in a vendor field', withTransaction(vendor('"'))],
    ['an escape in a used text', BUSY.replace('"id":"', '"id":"\\u0030')],
    ['an error in an unused value', BUSY.replace('{', '{"extra":[1,,2],')],
    ['a wrong escape in an unused text', BUSY.replace('{', '{"extra":"\\x",')],
    ['a control character in a text', BUSY.replace('"reward":"', '"reward":"1\t,"x":"')],
    ['a truncated line', BUSY.slice(0, -1)],
    ['text after the block', `${BUSY}]`],
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
