import { describe, expect, it } from '@jest/globals';
import { WALLET } from './memory-criteria.js';
import { coreMemoryList, nest } from './requests.js';

const BOUND = 'The query has too many values or levels';

describe('a query of version 2', () => {
  it('has alternatives by commas and repetition, and objects by dots', () => {
    const query = new Map([
      ['height', ['1,2']],
      ['timestamp.from', ['3']],
      ['type', ['0', '3']],
    ]);
    expect(nest(query)).toEqual({ height: ['1', '2'], timestamp: { from: '3' }, type: ['0', '3'] });
  });

  it('is refused if it has more values or levels than any program asks with', () => {
    expect(() => nest(new Map([['height', [',1'.repeat(300)]]]))).toThrow(BOUND);
    expect(() => nest(new Map(Array.from({ length: 300 }, (_, place) => [`a${place}`, ['1']])))).toThrow(
      BOUND,
    );
    expect(() => nest(new Map([['a' + '.b'.repeat(20), ['1']]]))).toThrow(BOUND);
    const { rules } = coreMemoryList(WALLET, 'attributes');
    expect(() => rules(new Map([['orderBy', [`nonce${',attributes.a'.repeat(300)}`, 'nonce']]]))).toThrow(
      BOUND,
    );
  });
});
