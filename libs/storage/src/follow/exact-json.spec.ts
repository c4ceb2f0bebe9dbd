import { describe, expect, it } from '@jest/globals';
import { parseExactJson } from './exact-json.js';

describe('parseExactJson', () => {
  it('keeps every digit of a long integer, as text', () => {
    expect(parseExactJson('{"reward": 9007199254740993, "height": 1, "low": -9007199254740993}')).toEqual({
      reward: '9007199254740993',
      height: 1,
      low: '-9007199254740993',
    });
  });

  it('leaves text and fractions as they are', () => {
    const json = JSON.stringify({ a: 'x 9007199254740993 "9007199254740993"', b: [0.1234567890123456] });
    expect(parseExactJson(json)).toEqual(JSON.parse(json));
  });
});
