import { describe, expect, it } from '@jest/globals';
import { BlockQueryDto, BlocksQueryDto } from './blocks.query.dto.js';
import { DelegateQueryDto, DelegateSearchQueryDto, DelegatesQueryDto } from './delegates.query.dto.js';
import { TransactionPathDto, TransactionsQueryDto } from './explorer.query.dto.js';
import { InvalidRequestError } from './invalid-request.error.js';
import { describePath, describeQuery, parseQuery, type RawQuery } from './parameters.js';

const query = (text: string): RawQuery => {
  const params = new URLSearchParams(text);
  return new Map([...new Set(params.keys())].map((name) => [name, params.getAll(name)]));
};

const KEY = `02${'aB'.repeat(32)}`;

describe('parseQuery', () => {
  it('fills in defaults and ignores parameters that the endpoint does not know', () => {
    expect({ ...parseQuery(BlocksQueryDto, query('_=1&_=2')) }).toEqual({ offset: 0, limit: 100 });
  });

  it('reads integers, also with leading zeros', () => {
    const asked = query('limit=007&offset=999999999999999');
    expect({ ...parseQuery(BlocksQueryDto, asked) }).toEqual({ offset: 999_999_999_999_999, limit: 7 });
  });

  it.each([
    'limit=abc',
    'limit=-1',
    'limit=1.5',
    'limit=1e3',
    'limit=',
    'limit=0',
    'limit=101',
    'limit=%2B1',
    'limit= 1',
    'limit=١',
    'limit=1&limit=1',
    'offset=1&offset=2',
    'offset=0000000000000001',
    'offset=0x10',
  ])('refuses %s', (text) => {
    expect(() => parseQuery(BlocksQueryDto, query(text))).toThrow(InvalidRequestError);
  });

  it('names the largest limit', () => {
    expect(() => parseQuery(BlocksQueryDto, query('limit=101'))).toThrow('at most 100');
  });

  it('reads upper-case hexadecimal as lower case', () => {
    expect(parseQuery(DelegateQueryDto, query(`publicKey=${KEY}`)).publicKey).toBe(KEY.toLowerCase());
    expect(parseQuery(BlockQueryDto, query(`id=${'AB'.repeat(32)}`)).id).toBe('ab'.repeat(32));
  });

  it.each(['', `04${'ab'.repeat(32)}`, KEY.slice(2), `${KEY}0`, 'x'.repeat(66)])(
    'refuses "%s" as a public key',
    (publicKey) => {
      expect(() => parseQuery(DelegateQueryDto, new Map([['publicKey', [publicKey]]]))).toThrow(
        InvalidRequestError,
      );
    },
  );

  it('accepts block ids up to 2^64 - 1 and refuses others', () => {
    const id = (text: string) => parseQuery(BlockQueryDto, new Map([['id', [text]]])).id;
    expect(id('18446744073709551615')).toBe('18446744073709551615');
    for (const wrong of ['18446744073709551616', '1'.repeat(21), '', 'a', '-1', 'ab'.repeat(31)]) {
      expect(() => id(wrong)).toThrow(InvalidRequestError);
    }
  });

  it('counts the characters of a text in code points', () => {
    const q = (text: string) => parseQuery(DelegateSearchQueryDto, new Map([['q', [text]]])).q;
    expect(q('😀'.repeat(20))).toHaveLength(40);
    expect(() => q('😀'.repeat(21))).toThrow('1 to 20 characters');
    expect(() => q('')).toThrow('1 to 20 characters');
  });

  it('requires one of two alternatives', () => {
    expect(() => parseQuery(DelegateQueryDto, query(''))).toThrow('"publicKey" and "username"');
    expect(parseQuery(DelegateQueryDto, query('username=a')).publicKey).toBeUndefined();
  });
});

describe('orderBy', () => {
  const orderBy = (text: string) => parseQuery(DelegatesQueryDto, new Map([['orderBy', [text]]])).orderBy;

  it.each([
    ['rank', 'rank', 'asc'],
    ['rate:desc', 'rank', 'desc'],
    ['approval:asc', 'vote', 'asc'],
    ['votes', 'vote', 'asc'],
    ['1', 'username', 'asc'],
    ['02:desc', 'address', 'desc'],
    ['3', 'publicKey', 'asc'],
    ['4', 'vote', 'asc'],
    ['productivity:desc', 'productivity', 'desc'],
  ])('reads %s as %s, %s', (text, column, direction) => {
    expect(orderBy(text)).toEqual({ column, direction });
  });

  it.each(['', ':', 'rank:', 'rank:up', 'rank:asc:asc', '0', '5', 'name', 'Rank', 'constructor', ':asc'])(
    'refuses "%s" and lists the allowed values',
    (text) => {
      expect(() => orderBy(text)).toThrow(/rank, username, .*:asc or :desc/);
    },
  );
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

describe('describeQuery', () => {
  it('describes for OpenAPI what the parser accepts', () => {
    expect(describeQuery(BlocksQueryDto)).toEqual([
      expect.objectContaining({
        name: 'offset',
        required: false,
        schema: { type: 'integer', minimum: 0, default: 0 },
      }),
      expect.objectContaining({ schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 } }),
    ]);
    expect(describeQuery(BlockQueryDto)).toMatchObject([{ name: 'id', required: true }]);
  });
});
