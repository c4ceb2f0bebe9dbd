import { describe, expect, it } from '@jest/globals';
import { BlockQueryDto } from './blocks.query.dto.js';
import { DelegateQueryDto } from './delegates.query.dto.js';
import { AccountPathDto, TransactionPathDto, TransactionsQueryDto } from './explorer.query.dto.js';
import { describePath, describeQuery, parseQuery, type RawQuery } from './parameters.js';

const query = (text: string): RawQuery => {
  const params = new URLSearchParams(text);
  return new Map([...new Set(params.keys())].map((name) => [name, params.getAll(name)]));
};

const KEY = `02${'aB'.repeat(32)}`;

describe('parseQuery', () => {
  it('reads upper-case hexadecimal as lower case', () => {
    expect(parseQuery(DelegateQueryDto, query(`publicKey=${KEY}`)).publicKey).toBe(KEY.toLowerCase());
    expect(parseQuery(BlockQueryDto, query(`id=${'AB'.repeat(32)}`)).id).toBe('ab'.repeat(32));
  });
});

describe('parameters of an explorer', () => {
  const transactions = (text: string) => parseQuery(TransactionsQueryDto, query(text));

  it('are a height or an id of a block', () => {
    expect(transactions('block=007').block).toEqual({ height: 7 });
    expect(transactions('block=2147483647').block).toEqual({ height: 2_147_483_647 });
    expect(transactions('block=2147483648').block).toEqual({ id: '2147483648' });
    expect(transactions(`block=${'AB'.repeat(32)}`).block).toEqual({ id: 'ab'.repeat(32) });
    for (const wrong of ['', 'x', '-1', '18446744073709551616', '1'.repeat(21)])
      expect(() => transactions(`block=${wrong}`)).toThrow('"block" must be a height, or a block id');
  });

  it('are amounts with every digit', () => {
    expect(transactions('minAmount=09007199254740993').minAmount).toBe('9007199254740993');
    expect(transactions('maxAmount=9223372036854775807').maxAmount).toBe('9223372036854775807');
    for (const wrong of ['', '-1', '1.5', '9223372036854775808'])
      expect(() => transactions(`minAmount=${wrong}`)).toThrow('"minAmount" must be a whole number');
  });

  it('are an address or a public key', () => {
    expect(transactions(`sender=${KEY}`).sender).toBe(KEY.toLowerCase());
    const address = 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri';
    expect(transactions(`address=${address}`).address).toBe(address);
    expect(() => transactions('recipient=somebody')).toThrow('"recipient" must be an address');
  });

  it('are read from the path if they are declared there, and only from there', () => {
    const path = new Map([['id', ['ab']]]);
    expect(parseQuery(TransactionPathDto, query('id=cd'), path).id).toBe('ab');
    expect(() => parseQuery(TransactionPathDto, query('id=cd'))).toThrow('"id" is required');
    expect(describePath(TransactionPathDto)).toMatchObject([{ name: 'id' }]);
    expect(describeQuery(TransactionPathDto)).toEqual([]);
  });
});

describe('a username in a path', () => {
  const accountOf = (segment: string, text: string) =>
    parseQuery(AccountPathDto, query(text), new Map([['account', [segment]]])).account;

  it('is read from the query if the path has - at its place', () => {
    expect(accountOf('-', 'account=..')).toBe('..');
    expect(accountOf('a', '')).toBe('a');
    expect(accountOf('-', '')).toBe('-');
  });

  it('is refused if both have it', () => {
    expect(() => accountOf('a', 'account=a')).toThrow('"account" is given more than once');
    expect(() => accountOf('-', 'account=a&account=b')).toThrow('"account" is given more than once');
    expect(() => parseQuery(AccountPathDto, query('account=a'))).toThrow('"account" is required');
  });

  it('is described at both places', () => {
    expect(describePath(AccountPathDto)).toMatchObject([{ name: 'account' }]);
    expect(describeQuery(AccountPathDto)).toMatchObject([{ name: 'account', required: false }]);
  });
});
