import { describe, expect, it } from '@jest/globals';
import { AccountsQueryDto } from './accounts.dto.js';
import { writeAccountCursor, writeTransactionCursor } from './cursor.js';
import { InvalidRequestError, parseParameters } from './query-dto.js';
import { TransactionsQueryDto } from './transactions.dto.js';

const ofTransactions = (cursor: string) => parseParameters(TransactionsQueryDto, { cursor }).cursor;
const ofAccounts = (cursor: string) => parseParameters(AccountsQueryDto, { cursor }).cursor;

const TRANSACTION = { height: 5_000_000, sequence: 149, blockId: '18446744073709551615' };
const ACCOUNT = { balance: '-9007199254740993', number: 2 ** 31 - 1 };

describe('a cursor', () => {
  it('is read as it was written', () => {
    expect(ofTransactions(writeTransactionCursor(TRANSACTION))).toEqual(TRANSACTION);
    const long = { ...TRANSACTION, blockId: 'ab'.repeat(32) };
    expect(ofTransactions(writeTransactionCursor(long))).toEqual(long);
    expect(ofAccounts(writeAccountCursor(ACCOUNT))).toEqual(ACCOUNT);
  });

  it('needs no escaping in a URL', () => {
    for (const cursor of [writeTransactionCursor(TRANSACTION), writeAccountCursor(ACCOUNT)])
      expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it('is refused if any bit is wrong, or if it is of another list', () => {
    const cursor = writeTransactionCursor(TRANSACTION);
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => ofTransactions(damaged.toString('base64url'))).toThrow(InvalidRequestError);
    }
    expect(() => ofTransactions(writeAccountCursor(ACCOUNT))).toThrow(
      '"cursor" is damaged, or of another list',
    );
    expect(() => ofAccounts(cursor)).toThrow(InvalidRequestError);
  });

  it.each([
    { height: 2 ** 31, sequence: 0, blockId: '1' },
    { height: 0, sequence: 2 ** 31, blockId: '1' },
    { height: 1, sequence: 0, blockId: "'" },
    { height: -1, sequence: 0, blockId: '1' },
  ])('is refused if its checksum is right but no list ends there: %j', (place) => {
    expect(() => ofTransactions(writeTransactionCursor(place))).toThrow(InvalidRequestError);
  });

  it.each([
    { ...ACCOUNT, balance: '9223372036854775808' },
    { ...ACCOUNT, number: 2 ** 31 },
    { ...ACCOUNT, number: -1 },
  ])('of accounts is refused if no account can be there: %j', (place) => {
    expect(() => ofAccounts(writeAccountCursor(place))).toThrow(InvalidRequestError);
  });
});
