import { parseLosslessJson } from './fields.js';

describe('parseLosslessJson', () => {
  it.each([
    ['an odd amount just over 2^53', '9007199254740993', 9007199254740993n],
    ['its negative', '-9007199254740993', -9007199254740993n],
    ['the largest safe integer', '9007199254740991', 9007199254740991],
    ['the first unsafe one', '9007199254740992', 9007199254740992n],
    ['the largest 64-bit amount', '[9223372036854775807]', [9223372036854775807n]],
    ['a nested one', '{"a":[1,{"b": 12500000000000001 }]}', { a: [1, { b: 12500000000000001n }] }],
    ['one after a line break', '[\n12500000000000001\n]', [12500000000000001n]],
    ['several side by side', '[9007199254740993,9007199254740995]', [9007199254740993n, 9007199254740995n]],
    ['digits in a string', '{"id":"17184958558311101493"}', { id: '17184958558311101493' }],
    ['a string that looks like JSON', '["a: 9007199254740993, b"]', ['a: 9007199254740993, b']],
    ['a key of digits', '{"9007199254740993": 9007199254740993}', { '9007199254740993': 9007199254740993n }],
    ['escapes', '["\\"9007199254740993\\\\", 9007199254740993]', ['"9007199254740993\\', 9007199254740993n]],
    ['a string that begins with NUL', '["\\u0000n12", 9007199254740993]', ['\u0000n12', 9007199254740993n]],
    ['a fraction', '[0.12345678901234567, 1]', [Number('0.12345678901234567'), 1]],
    ['an exponent', '[1234567890123456789e2, 1]', [Number('1234567890123456789e2'), 1]],
    ['plain values', '[true,null,-1.5,"x"]', [true, null, -1.5, 'x']],
  ])('reads %s', (_name, text, expected) => {
    expect(parseLosslessJson(text)).toEqual(expected);
  });

  it.each([
    ['a cut-off text', '{"a":9007199254740993'],
    ['a long number as a key', '{9007199254740993:1}'],
    ['a leading zero', '[09007199254740993]'],
    ['an unterminated string', '["a, 9007199254740993]'],
    ['a number that touches a string', '["a" 9007199254740993]'],
    ['nothing', ''],
  ])('refuses %s', (_name, text) => {
    expect(() => parseLosslessJson(text)).toThrow(SyntaxError);
  });

  it('refuses a long string without an end at once', () => {
    const text = `[9007199254740993,"${'\\"'.repeat(1_000_000)}`;
    const started = performance.now();
    expect(() => parseLosslessJson(text)).toThrow(SyntaxError);
    expect(() => parseLosslessJson(`${text}\\`)).toThrow(SyntaxError);
    // It would take hours if each quote began a search of its own.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('agrees with JSON.parse on everything without long integers', () => {
    const text = JSON.stringify({ a: [1, 'two', { three: 3.5, 'fo"ur': null }], b: '\\"9'.repeat(50) });
    expect(parseLosslessJson(text)).toEqual(JSON.parse(text));
  });
});
