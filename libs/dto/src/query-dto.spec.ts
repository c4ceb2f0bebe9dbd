import { describe, expect, it } from '@jest/globals';
import { parse } from 'node:querystring';
import { z } from 'zod';
import { AccountPathDto } from './accounts.dto.js';
import { BlockQueryDto, BlocksQueryDto } from './blocks.dto.js';
import { DelegateQueryDto, VotersQueryDto } from './delegates.dto.js';
import { PayoutsQueryDto } from './history.dto.js';
import {
  describePath,
  describeQuery,
  InvalidRequestError,
  parseParameters,
  queryDto,
  type GivenParameters,
} from './query-dto.js';
import { TransactionPathDto, TransactionsQueryDto } from './transactions.dto.js';

const query = (text: string) => parse(text) as GivenParameters;

const KEY = `02${'aB'.repeat(32)}`;

describe('parseParameters', () => {
  it('reads upper-case hexadecimal as lower case', () => {
    expect(parseParameters(DelegateQueryDto, query(`publicKey=${KEY}`)).publicKey).toBe(KEY.toLowerCase());
    expect(parseParameters(BlockQueryDto, query(`id=${'AB'.repeat(32)}`)).id).toBe('ab'.repeat(32));
  });
});

describe('a fault', () => {
  const KEYS = 'One of the parameters "publicKey" and "username" is required.';
  const NAME = 'The parameter "username" must have 1 to 20 characters.';

  it.each([
    [BlocksQueryDto, 'offset=&limit=x', 'The parameter "offset" must be a whole number in decimal digits.'],
    [BlocksQueryDto, 'limit=1e1', 'The parameter "limit" must be a whole number in decimal digits.'],
    [BlocksQueryDto, `limit=${'0'.repeat(15)}1`, 'The parameter "limit" must have at most 15 digits.'],
    [BlocksQueryDto, 'limit=0', 'The parameter "limit" must be at least 1.'],
    [BlocksQueryDto, 'limit=101', 'The parameter "limit" must be at most 100.'],
    [BlocksQueryDto, 'limit=1&limit=1', 'The parameter "limit" is given more than once.'],
    [BlocksQueryDto, 'offset=1&limit=0&offset=1', 'The parameter "offset" is given more than once.'],
    [VotersQueryDto, 'publickey=02', 'The parameter "publicKey" is required.'],
    [DelegateQueryDto, 'name=a', KEYS],
    [DelegateQueryDto, 'username=', NAME],
    [DelegateQueryDto, `username=${'😀'.repeat(21)}`, NAME],
    [PayoutsQueryDto, 'from=2&to=1', 'The parameter "from" must not be larger than "to".'],
    [PayoutsQueryDto, 'from=2&to=1&format=xml', 'The parameter "format" must be one of json, csv.'],
    [
      PayoutsQueryDto,
      'from=0&to=1',
      'The parameter "from" must be at least 1, the height of the genesis block.',
    ],
  ])('of %p in "%s" has one sentence, about the first parameter', (dto, text, sentence) => {
    expect(() => parseParameters<object>(dto, query(text))).toThrow(new InvalidRequestError(sentence));
  });

  it('is none if the parameter is not of the class', () => {
    const parameters = parseParameters(BlocksQueryDto, query('limit=007&x=1&x=2&__proto__=1&toString=a'));
    expect(parameters).toEqual({ offset: 0, limit: 7 });
    expect(parseParameters(VotersQueryDto, query(`publicKey=${KEY}`))).toEqual({
      publicKey: KEY.toLowerCase(),
      offset: 0,
    });
    expect(parseParameters(DelegateQueryDto, query(`username=${'😀'.repeat(20)}`)).publicKey).toBeUndefined();
  });
});

describe('parameters of an explorer', () => {
  const transactions = (text: string) => parseParameters(TransactionsQueryDto, query(text));

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
});

describe('a segment of the path', () => {
  const idOf = (id: string | string[]) => parseParameters(TransactionPathDto, { id }).id;

  it('is the first value; the query may have others of the same name', () => {
    expect(idOf('ab')).toBe('ab');
    expect(idOf(['-', 'cd', 'ef'])).toBe('-');
    expect(() => parseParameters(TransactionPathDto, {})).toThrow('"id" is required');
  });

  it('is described in the path alone', () => {
    expect(describePath(TransactionPathDto)).toMatchObject([{ name: 'id' }]);
    expect(describeQuery(TransactionPathDto)).toEqual([]);
  });
});

describe('a description', () => {
  it('is wanted of every parameter', () => {
    class PlainQueryDto extends queryDto({ a: z.string().optional() }) {}
    expect(() => describeQuery(PlainQueryDto)).toThrow('"a" has no description');
  });
});

describe('a username in a path', () => {
  const accountOf = (account: string | string[]) => parseParameters(AccountPathDto, { account }).account;

  it('is read from the query if the path has - at its place', () => {
    expect(accountOf(['-', '..'])).toBe('..');
    expect(accountOf('a')).toBe('a');
    expect(accountOf('-')).toBe('-');
  });

  it('is refused if both have it', () => {
    expect(() => accountOf(['a', 'a'])).toThrow('"account" is given more than once');
    expect(() => accountOf(['-', 'a', 'b'])).toThrow('"account" is given more than once');
    expect(() => parseParameters(AccountPathDto, {})).toThrow('"account" is required');
  });

  it('is described at both places', () => {
    expect(describePath(AccountPathDto)).toMatchObject([{ name: 'account' }]);
    expect(describeQuery(AccountPathDto)).toMatchObject([{ name: 'account', required: false }]);
  });
});
