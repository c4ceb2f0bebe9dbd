import { decodeBlock } from '@roundhouse/blocks';
import { parseLosslessJson, type Block, type Transaction } from '@roundhouse/chain';
import { readRecording } from '@roundhouse/testing';
import fc from 'fast-check';
import { NodeProtocolError } from '../errors/node-errors.js';
import { refusal } from '../refusal.harness.js';
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
const BLOCK = decodeBlock(busy);
const BUSY = JSON.stringify(busy);

const read = (line: string, height = BLOCK.height): Block => decodeLine('file:a', line, height, decodeBlock);

const vendor = (vendorField: string): object => ({ vendorField, vendorFieldHex: undefined });

const withBlock = (change: object): string => JSON.stringify({ ...busy, ...change });

const withTransaction = (change: object): string => {
  const [first, ...rest] = busy.transactions;
  return withBlock({ transactions: [{ ...first, ...change }, ...rest] });
};

const inUtf8 = (text: string): string => Buffer.from(text).toString('hex');

describe('a line of an archive', () => {
  it.each<[string, string]>([
    ['white space as PostgreSQL writes it', BUSY.replaceAll(/([:,{])/g, ' $1 ')],
    ['a carriage return at its end', `${BUSY}\r`],
    ['keys in another order', JSON.stringify(Object.fromEntries(Object.entries(busy).reverse()))],
    ['amounts as numbers', withBlock({ reward: Number(busy['reward']) })],
    ['unused lists and objects', withBlock({ extra: { list: [1, { deep: '}]"\\' }], no: null } })],
    ['escapes in an unused text', withTransaction({ memo: 'a "quote"\n\\ \u0001 grüße 🎉' })],
    ['any unused value', withTransaction({ a: true, b: false, c: null, d: 0, e: '', f: [] })],
    ['a repeated key, of which the last counts', BUSY.replace('{', '{"reward":"1",')],
    ['capital letters', withBlock({ payloadHash: BLOCK.payloadHash.toUpperCase() })],
    ['a leading zero', withBlock({ reward: `0${BLOCK.reward}` })],
    ['an escape in a used text', BUSY.replace(/"id":"(\d)/, '"id":"\\u003$1')],
  ])('is read as without them if it has %s', (_, line) => {
    expect(line).not.toBe(BUSY);
    expect(read(line)).toEqual(BLOCK);
  });

  it.each<[string, object, Partial<Transaction>]>([
    [
      'escapes in text that is also hexadecimal',
      { ...vendor('"\n"'), vendorFieldHex: '220a22' },
      { vendorField: '220a22' },
    ],
    ['escapes in a vendor field', vendor('"'), { vendorField: '22' }],
    ['a vendor field beyond ASCII', vendor('grüße 🎉'), { vendorField: inUtf8('grüße 🎉') }],
    [
      'a vendor field that is not UTF-8',
      { ...vendor('\ufffd'), vendorFieldHex: 'ff' },
      { vendorField: 'ff' },
    ],
    ['a second signature under its older name', { signSignature: 'ab' }, { secondSignature: 'ab' }],
    [
      'a resignation of Core 2.4',
      { type: 8, recipientId: undefined },
      { typeGroup: 1, type: 7, recipientId: null },
    ],
    [
      'a recipient with escapes',
      { recipientId: 'a "quote"\n\\ \u0001' },
      { recipientId: 'a "quote"\n\\ \u0001' },
    ],
    [
      'amounts of more than 32 and 53 bits',
      { amount: '4294967296', fee: '18446744069414584' },
      { amount: 4_294_967_296n, fee: 18_446_744_069_414_584n },
    ],
  ])('is read with %s', (_, change, expected) => {
    const [first, ...rest] = BLOCK.transactions;
    const transactions = [{ ...first!, ...expected }, ...rest];
    expect(read(withTransaction(change))).toEqual({ ...BLOCK, transactions });
  });

  const NO_JSON = `line ${BLOCK.height} is not JSON`;

  it.each<[string, string, string]>([
    ['a number with a leading zero', BUSY.replace(/"version":\d+/, '"version":00'), NO_JSON],
    ['an error in an unused value', BUSY.replace('{', '{"extra":[1,,2],'), NO_JSON],
    ['a wrong escape in an unused text', BUSY.replace('{', '{"extra":"\\x",'), NO_JSON],
    ['a control character in a text', BUSY.replace('"reward":"', '"reward":"1\t,"x":"'), NO_JSON],
    ['no end', BUSY.slice(0, -1), NO_JSON],
    ['text after the block', `${BUSY}]`, NO_JSON],
    ['a list in place of the object', JSON.stringify([busy]), 'but must be an object'],
    ['nothing in it', '', NO_JSON],
    ['another height', withBlock({ height: 9 }), `line ${BLOCK.height} holds height 9, but`],
  ])('is refused with %s, and the height is named', (_, line, says) => {
    expect(() => read(line)).toThrow(
      expect.objectContaining(refusal(says, { height: BLOCK.height })) as Error,
    );
  });

  it('is read as its JSON says, or refused, however it is damaged', () => {
    const withJsonAssets = recorded.filter(({ transactions }) =>
      transactions.some(({ typeGroup, asset }) => typeGroup === 2 && asset !== undefined),
    );
    expect(withJsonAssets.length).toBeGreaterThan(3);
    const anyBlock = fc.constantFrom(...recorded.slice(0, 40), busy, ...withJsonAssets);
    const splice = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat(3),
      added: fc.oneof(
        fc.string({ maxLength: 3 }),
        fc.constantFrom('"', '\\', ',', '0', '}', '{', ' ', 'e', '.', '9007199254740993'),
      ),
    });
    const expectedOf = (line: string): Block | null => {
      try {
        return decodeBlock(parseLosslessJson(line));
      } catch {
        return null;
      }
    };
    const readings = { read: 0, refused: 0 };
    fc.assert(
      fc.property(anyBlock, fc.array(splice, { minLength: 1, maxLength: 3 }), (block, splices) => {
        let spliced = JSON.stringify(block);
        for (const { at, removed, added } of splices) {
          const place = Math.floor(at * spliced.length);
          spliced = spliced.slice(0, place) + added + spliced.slice(place + removed);
        }
        const height = block['height'] as number;
        const expected = expectedOf(spliced);
        const isRead = expected?.height === height;
        readings[isRead ? 'read' : 'refused'] += 1;
        if (isRead) expect(read(spliced, height)).toEqual(expected);
        else expect(() => read(spliced, height)).toThrow(NodeProtocolError);
      }),
      { numRuns: 3_000 },
    );
    expect(readings.read).toBeGreaterThan(20);
    expect(readings.refused).toBeGreaterThan(100);
  });
});
