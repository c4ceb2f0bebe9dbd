import { describe, expect, it } from '@jest/globals';
import { parseAnswer } from './parse-answer.js';

describe('parseAnswer', () => {
  it('reads amounts as bigints with all digits', () => {
    expect(parseAnswer('{"supply":13092005600000001,"blocks":[{"reward":10000000,"height":7}]}')).toEqual({
      supply: 13_092_005_600_000_001n,
      blocks: [{ reward: 10_000_000n, height: 7 }],
    });
  });

  it('leaves what the asset of a transaction has under such a name, whatever it is', () => {
    const asset = { amount: 1.5, fee: 'free', reward: { balance: [1e30] } };
    expect(parseAnswer(JSON.stringify({ asset, amount: 5 }))).toEqual({ asset, amount: 5n });
  });

  it.each(['x":1234567890123456,\\', '","supply":1,"x":"', 'supply', 'supply":1'])(
    'leaves text unchanged: %s',
    (text) => {
      expect(parseAnswer(JSON.stringify({ name: text, other: [text, { [`x${text}`]: text }] }))).toEqual({
        name: text,
        other: [text, { [`x${text}`]: text }],
      });
    },
  );
});
