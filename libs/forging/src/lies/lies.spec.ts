import { checkBlock, headerBytes, isBlockSigned } from '@roundhouse/blocks';
import { Rules, sha256, type Block } from '@roundhouse/chain';
import { makerOf, makeSigner, SMALL, TIMING } from '@roundhouse/testing';
import { makeBlocks } from '../chain/make-chain.js';
import { realSigning } from '../keys/signing.js';
import type { ChainState } from '../chain/chain-state.js';
import { UntellableError } from './lie.js';
import { ODDITIES } from './oddities.js';
import { ACCEPTED_LIES, LIES, type AcceptedLieName, type AnyLieName, type LieName } from './lies.js';

const HEIGHT = 60;
const maker = makerOf(SMALL);

/** A state below the next block, which is applied to it in vain. */
const below = (): ChainState => {
  const state = maker.emptyState(TIMING);
  Object.assign(state, { rules: new Rules({ now: () => Date.now() }) });
  for (const block of blocks) state.apply(block);
  return state;
};

const blocks: readonly Block[] = [...makeBlocks(maker, maker.emptyState(TIMING), HEIGHT)];

const told = (state: ChainState, lie: AnyLieName): Block => {
  const block = maker.forge.lying(state, maker.forge.forgeNext(state), lie);
  const { network, ledger } = state;
  // Nothing is wrong with its ids, hashes and totals.
  expect(checkBlock(block, { ...network, constants: ledger.milestones.at(block.height) })).toBe(block);
  return block;
};

describe('a lie of a delegate', () => {
  it.each(Object.entries(LIES).map(([lie, { rule }]) => [lie, rule] as [LieName, string]))(
    '%s is refused with its height and the rule "%s"',
    (lie, rule) => {
      const state = below();
      const block = told(state, lie);
      expect(() => state.apply(block)).toThrow(`(rule "${rule}"; LENIENT_RULES=${rule} accepts it)`);
    },
  );

  it.each([
    ['registers-again', 'registers again'],
    ['username-taken', 'is already taken'],
    ['resigns-nobody', 'is not a delegate'],
    ['claims-again', 'is not open'],
  ] as const)('%s is refused, and no setting accepts it', (lie, says) => {
    const state = below();
    const block = told(state, lie);
    expect(() => state.apply(block)).toThrow(says);
  });

  it('cannot claim a lock too late if none has expired', () => {
    const state = maker.emptyState(TIMING);
    for (const block of blocks.slice(0, 10)) state.apply(block);
    const next = maker.forge.forgeNext(state);
    expect(() => maker.forge.lying(state, next, 'late-claim')).toThrow(UntellableError);
  });

  it.each(Object.entries(ACCEPTED_LIES).map(([lie, { rule }]) => [lie, rule] as [AcceptedLieName, string]))(
    '%s is accepted with a warning of the rule "%s", as Core accepts it',
    (lie, rule) => {
      const state = below();
      state.rules.takeWarnings();
      state.apply(told(state, lie));
      const warned = [...state.rules.takeWarnings()];
      expect(warned).toEqual([
        [rule, { count: 1, first: expect.objectContaining({ rule, height: HEIGHT + 1 }) }],
      ]);
    },
  );
});

describe('an oddity', () => {
  it.each(Object.keys(ODDITIES) as (keyof typeof ODDITIES)[])('%s is accepted without a warning', (name) => {
    const state = below();
    state.rules.takeWarnings();
    state.apply(told(state, name));
    expect([...state.rules.takeWarnings()]).toEqual([]);
  });
});

it('a block that its forger signs with Schnorr is not signed for a node', () => {
  const block = blocks.at(-1)!;
  const { privateKey } = makeSigner(SMALL).ring.findByPublicKey(block.generatorPublicKey)!;
  const blockSignature = realSigning.schnorr(sha256(headerBytes(block)), privateKey);
  expect([isBlockSigned(block), isBlockSigned({ ...block, blockSignature })]).toEqual([true, false]);
});

describe('a lenient rule', () => {
  it('accepts the lie with a warning', () => {
    const state = below();
    Object.assign(state, { rules: new Rules({ lenient: new Set(['nonce']) }) });
    state.apply(told(state, 'nonce-ahead'));
    expect([...state.rules.takeWarnings().keys()]).toEqual(['nonce']);
  });
});
