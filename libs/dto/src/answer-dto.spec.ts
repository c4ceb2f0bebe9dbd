import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { answerDto, listOf, success } from './answer-dto.js';
import { SupplyResponseDto } from './blocks.dto.js';
import { NextForgersResponseDto, VoterDto } from './delegates.dto.js';
import { AnswerShapeError, jsonWriter, writeAnswer } from './answer-dto.js';

class AccountsDto extends answerDto({ accounts: listOf(VoterDto, 'Accounts.'), success }) {}

const voter = { username: null, address: 'A', publicKey: '02', balance: 90_071_992_547_409_931n };

describe('writeAnswer', () => {
  it('writes exactly the documented fields and no others', () => {
    const accounts = [{ ...voter, secret: 1 }];
    expect(writeAnswer(AccountsDto, { accounts, success: true })).toBe(
      '{"accounts":[{"username":null,"address":"A","publicKey":"02","balance":90071992547409931}],"success":true}',
    );
  });

  it('escapes text as JSON requires', () => {
    const username = 'a"\\\u0001\u2028é😀';
    const text = writeAnswer(AccountsDto, { accounts: [{ ...voter, username }], success: true });
    expect(text).toContain(JSON.stringify(username));
  });

  it.each([
    ['a fraction', 1.5],
    ['an integer that a number cannot represent exactly', 2 ** 53],
    ['numeric text', '12'],
    ['null', null],
    ['undefined', undefined],
  ])('refuses %s where an integer is documented', (_, supply) => {
    expect(() => writeAnswer(SupplyResponseDto, { supply: supply as never, success: true })).toThrow(
      AnswerShapeError,
    );
  });

  it('knows fields by their description alone', () => {
    expect(() => answerDto({ a: z.string() })).toThrow('"a" has no description');
  });

  it('refuses null in a field that is not nullable, in lists too', () => {
    const accounts = [{ ...voter, publicKey: null as never }];
    expect(() => writeAnswer(AccountsDto, { accounts, success: true })).toThrow('VoterDto.publicKey');
    const answer = { currentBlock: 1, currentSlot: 1, delegates: [null as never], success: true as const };
    expect(() => writeAnswer(NextForgersResponseDto, answer)).toThrow('NextForgersResponseDto.delegates');
  });
});

describe('jsonWriter', () => {
  const write = jsonWriter(String, (field) => field === undefined);

  it('writes each character as JSON.stringify does, in names and in texts', () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const texts = [...characters, 'a😀"b', 'é\ud83d'];
    expect(texts.filter((text) => write({ [text]: text }) !== JSON.stringify({ [text]: text }))).toEqual([]);
  });

  it('writes amounts with all digits, and leaves out what is absent', () => {
    const amount = 90_071_992_547_409_931n;
    expect(write({ amount, none: undefined, list: [null, true, 0.5, { amount }] })).toBe(
      `{"amount":${amount},"list":[null,true,0.5,{"amount":${amount}}]}`,
    );
  });
});
