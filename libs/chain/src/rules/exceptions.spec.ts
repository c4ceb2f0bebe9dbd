import { describe, expect, it } from '@jest/globals';
import type { Block } from '../blocks/block.js';
import { applyBlock } from '../ledger/apply-block.js';
import { FEE, GIVEN, SmallChain } from '../ledger/apply-block.harness.js';
import { keyOf, pay } from '../ledger/send.harness.js';
import type { Exceptions } from '../network/exceptions.js';
import { Rules } from './rules.js';

/** What bob's balance is after the block in which he spends twice what he has. */
const MINUS = -GIVEN - FEE;
/** He has sent two transactions before. */
const NONCE = '3';

/** Applies that block under the exceptions that the block gets; returns bob's balance. */
const spendTwice = (exceptionsFor: (block: Block) => Exceptions): bigint => {
  const chain = new SmallChain();
  const { ledger } = chain;
  const overspent = { ...pay('bob', 'carol', 2n * GIVEN), version: 1, nonce: null };
  const block = chain.next('alice', undefined, [overspent]);
  Object.assign(ledger, { network: { ...ledger.network, exceptions: exceptionsFor(block) } });
  applyBlock(ledger, block, false, { rules: new Rules() });
  return chain.account('bob').balance;
};

describe('a broken rule', () => {
  it.each<[string, (block: Block) => Exceptions]>([
    ['excepts nothing', () => ({})],
    ['excepts another block', () => ({ blocks: ['1'] })],
    ['excepts the block with other transactions', ({ id }) => ({ blocks: [id], blocksTransactions: {} })],
    ['excepts another transaction', () => ({ transactions: ['00'.repeat(32)] })],
    [
      'lists another negative balance',
      () => ({ negativeBalances: { [keyOf('bob')]: { [NONCE]: `${MINUS - 1n}` } } }),
    ],
    ['lists it for another transaction', () => ({ negativeBalances: { [keyOf('bob')]: { 4: `${MINUS}` } } })],
    [
      'lists it for another account',
      () => ({ negativeBalances: { [keyOf('carol')]: { [NONCE]: `${MINUS}` } } }),
    ],
  ])('is refused if the network %s', (_, exceptionsFor) => {
    expect(() => spendTwice(exceptionsFor)).toThrow('(rule "balance"; LENIENT_RULES=balance accepts it)');
  });

  it.each<[string, (block: Block) => Exceptions]>([
    ['block', ({ id }) => ({ blocks: [id] })],
    [
      'block with its transactions',
      ({ id, transactions }) => ({
        blocks: [id],
        blocksTransactions: { [id]: transactions.map((transaction) => transaction.id) },
      }),
    ],
    ['transaction', ({ transactions }) => ({ transactions: transactions.map(({ id }) => id) })],
    ['negative balance', () => ({ negativeBalances: { [keyOf('bob')]: { [NONCE]: `${MINUS}` } } })],
  ])('is no reason to refuse an excepted %s', (_, exceptionsFor) => {
    expect(spendTwice(exceptionsFor)).toBe(MINUS);
  });
});
