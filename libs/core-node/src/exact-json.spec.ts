import { exactJson } from './exact-json.js';

describe('exact JSON', () => {
  it('writes all digits of a bigint, and everything else like JSON.stringify', () => {
    expect(exactJson({ amount: 12500000000000001n, none: null, text: '-5', list: [-5n, 'x'] })).toBe(
      '{"amount":12500000000000001,"none":null,"text":"-5","list":[-5,"x"]}',
    );
  });
});
