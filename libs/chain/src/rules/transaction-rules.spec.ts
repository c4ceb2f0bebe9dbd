import { describe, expect, it } from '@jest/globals';
import { FEE, SmallChain } from '../ledger/apply-block.harness.js';
import { addressFor, pay } from '../ledger/send.harness.js';
import { checkOf } from './block-check.js';
import { Rules } from './rules.js';
import { checkTransaction } from './transaction-rules.js';

const AIP11 = 3;

/** The rules that a payment of this version breaks in the block at `height`. */
const brokenAt = (height: number, version: number): string[] => {
  const chain = new SmallChain(false, 2, [{ height: AIP11, ...{ aip11: true, multiPaymentLimit: 64 } }]);
  while (chain.ledger.head!.height < height - 1) chain.forge('alice');
  const nonce = version === 1 ? null : BigInt(chain.account('bob').nonce + 1);
  const block = chain.next('alice', undefined, [{ ...pay('bob', 'carol', 5n), version, nonce, fee: FEE }]);
  const broken: string[] = [];
  const check = checkOf(chain.ledger, block, new Rules({ now: () => Date.now() }), ({ rule }) =>
    broken.push(rule),
  )!;
  for (const transaction of block.transactions)
    checkTransaction(check, transaction, chain.ledger.accounts.get(addressFor('bob'))!);
  return broken;
};

describe('the version of a transaction', () => {
  it.each([
    [AIP11 - 1, 1, []],
    [AIP11 - 1, 2, ['transaction-version']],
    // Nodes know of the milestone after its block.
    [AIP11, 1, []],
    [AIP11, 2, []],
    [AIP11 + 1, 1, ['transaction-version']],
    [AIP11 + 1, 2, []],
  ])('at height %d, version %d breaks %j', (height, version, broken) => {
    expect(brokenAt(height, version)).toEqual(broken);
  });
});
