import { describe, expect, it } from '@jest/globals';
import { dataTexts } from './json-text.js';

describe('the texts of an answer', () => {
  it('are the objects of its list, character for character', () => {
    const items = ['{"id":"1","amount":12500000000000001}', '{"text":"}, {\\"[","list":[{"a":1},{}]}', '{}'];
    expect(dataTexts(`{"meta":{"count":3},"data":[${items.join(',')}]}`)).toEqual(items);
  });

  it('are a single text if there is no list, and no text if the list is empty', () => {
    expect(dataTexts('{"data":{"height":1,"payload":{"length":0}}}')).toEqual([
      '{"height":1,"payload":{"length":0}}',
    ]);
    expect(dataTexts('{"meta":{},"data":[]}')).toEqual([]);
  });

  it('are refused if the answer breaks off', () => {
    expect(() => dataTexts('{"data":[{"id":"1"')).toThrow('no end');
  });
});
