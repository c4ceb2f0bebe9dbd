import { describe, expect, it } from '@jest/globals';
import { FEE, SmallChain } from '../ledger/apply-block.harness.js';
import { textOfMembers } from '../accounts/multi-signature.js';
import { addressFor, keyOf, lock, pay, type Draft } from '../ledger/send.harness.js';
import { checkOf, checkTransaction } from './block-check.js';
import { Rules } from './rules.js';

const AIP11 = 3;

const ON = { height: AIP11, aip11: true, multiPaymentLimit: 64 };

/** The rules that this transaction of bob breaks in the block at `height`, of a chain with these milestones. */
const brokenBy = (
  height: number,
  draft: Partial<Draft>,
  milestones: readonly { readonly height: number; readonly [rule: string]: unknown }[] = [ON],
  timestamp?: number,
): string[] => {
  const chain = new SmallChain(false, 2, milestones);
  while (chain.ledger.head!.height < height - 1) chain.forge('alice');
  const nonce = draft.version === 1 ? null : BigInt(chain.account('bob').nonce + 1);
  const whole = { ...pay('bob', 'carol', 5n), nonce, fee: FEE, ...draft };
  const block = chain.next('alice', timestamp, [whole]);
  const broken: string[] = [];
  const check = checkOf(chain.ledger, block, new Rules({ now: () => Date.now() }), ({ rule }) =>
    broken.push(rule),
  )!;
  for (const transaction of block.transactions)
    checkTransaction(check, transaction, chain.ledger.accounts.get(addressFor('bob'))!);
  return broken;
};

const brokenAt = (height: number, version: number): string[] => brokenBy(height, { version });

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

describe('the timestamp of version 1', () => {
  const NOW = 40_000;
  const brokenWith = (timestamp: number, acceptExpiredTransactionTimestamps?: boolean): string[] => {
    const block = { acceptExpiredTransactionTimestamps };
    return brokenBy(4, { version: 1, timestamp }, [{ height: 2, block }], NOW);
  };

  it.each([
    [NOW - 21_600, []],
    [NOW - 21_601, ['transaction-time']],
    [NOW + 3_602, []],
    [NOW + 3_603, ['transaction-time']],
  ])('%d in a block of 40000 breaks %j', (timestamp, broken) => {
    expect(brokenWith(timestamp, false)).toEqual(broken);
  });

  it.each([true, undefined])('may be any if the milestones say %p', (accepts) => {
    expect(brokenWith(0, accepts)).toEqual([]);
  });
});

describe('an account to which version 1 gave members', () => {
  const brokenAfter = (draft: Partial<Draft>): string[] => {
    const chain = new SmallChain(false, 2, [ON]);
    const publicKeys = ['alice', 'carol'].map(keyOf);
    while (chain.ledger.head!.height < AIP11) chain.forge('alice');
    const bob = chain.ledger.accounts.get(addressFor('bob'))!;
    chain.ledger.setMultiSignature(bob, textOfMembers({ min: 2, publicKeys }));
    const whole = { ...pay('bob', 'carol', 5n), nonce: BigInt(bob.nonce + 1), fee: FEE, ...draft };
    const block = chain.next('alice', undefined, [whole]);
    const broken: string[] = [];
    const check = checkOf(chain.ledger, block, new Rules(), ({ rule }) => broken.push(rule))!;
    checkTransaction(check, block.transactions[0]!, bob);
    return broken;
  };

  it('sends nothing more in version 2', () => {
    expect(brokenAfter({})).toEqual(['members']);
    // Core 2.4 and 2.5 had no nonces.
    expect(brokenAfter({ nonce: null })).toEqual([]);
  });
});

describe('a lock', () => {
  const locked = lock('bob', 'carol', 5n);
  const at = (htlcEnabled: boolean): string[] =>
    brokenBy(4, locked, [{ height: 2, aip11: true, htlcEnabled }]);

  it('needs htlcEnabled', () => {
    expect(at(false)).toEqual(['lock']);
    expect(at(true)).toEqual([]);
  });
});
