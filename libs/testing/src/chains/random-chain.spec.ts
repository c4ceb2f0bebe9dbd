import { describe, expect, it } from '@jest/globals';
import { admitForger, applyBlock, Ledger, Rules } from '@roundhouse/chain';
import { randomChain } from './random-chain.js';

describe('a random chain', () => {
  const { network, blocks } = randomChain({ seed: 13, blocks: 120 });
  const sent = blocks.slice(1).flatMap(({ transactions }) => transactions);

  it('soon has every type of transaction, an unknown one, and an old form', () => {
    const kinds = new Set(sent.map(({ typeGroup, type, version }) => `${typeGroup}/${type} v${version}`));
    const core = Array.from({ length: 11 }, (_, type) => `1/${type} v2`);
    expect([...kinds].sort()).toEqual([...core, '1/4 v1', '2/6 v2', '1001/7 v2'].sort());
  });

  it('is valid, moves amounts that a floating-point number cannot hold, and misses slots', () => {
    const ledger = Ledger.empty(network);
    const rules = new Rules();
    for (const block of blocks) {
      admitForger(ledger, block);
      applyBlock(ledger, block, false, { rules });
    }
    expect([...rules.takeWarnings().keys()]).toEqual(['lock']);
    const accounts = [...ledger.accounts.values()];
    expect(accounts.filter(({ balance }) => BigInt(Number(balance)) !== balance).length).toBeGreaterThan(5);
    expect([...ledger.delegates.values()].some(({ missedBlocks }) => missedBlocks > 0)).toBe(true);
    expect([...ledger.delegates.values()].some(({ isResigned }) => isResigned)).toBe(true);
    expect(ledger.locks.size).toBeGreaterThan(0);
    expect(ledger.claims.forgotten).toBeGreaterThan(0);
  });

  it('parts from the other branch exactly where it is asked to', () => {
    const fork = randomChain({ seed: 13, blocks: 120, forkFrom: 60 }).blocks;
    expect(fork.findIndex(({ id }, index) => id !== blocks[index]!.id)).toBe(59);
    expect(fork.slice(0, 59)).toEqual(blocks.slice(0, 59));
  });
});
