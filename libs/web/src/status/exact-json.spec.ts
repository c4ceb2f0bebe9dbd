import { describe, expect, it } from '@jest/globals';
import { parseExactJson } from './exact-json.js';

describe('parseExactJson', () => {
  it('loses no digit of an amount', () => {
    expect(parseExactJson('{"supply":13092005600000001,"fee":10000000}')).toEqual({
      supply: '13092005600000001',
      fee: 10_000_000,
    });
  });

  it('leaves text alone, whatever it looks like', () => {
    const text = { name: 'x":1234567890123456,\\' };
    expect(parseExactJson(JSON.stringify(text))).toEqual(text);
  });
});
