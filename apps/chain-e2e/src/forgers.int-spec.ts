import { describe, expect, it } from '@jest/globals';
import { applyBlock, Ledger, slotOf } from '@roundhouse/chain';
import { createBlockSource } from '@roundhouse/source';
import { archiveOf, networkOf, RECORDED_HEAD } from './recorded-chains.js';

describe.each(['core-2.4', 'core-3.9'] as const)('the forging order of a %s chain', (recording) => {
  it('names the generator of every block', async () => {
    const network = await networkOf(recording);
    const source = await createBlockSource({ urls: archiveOf(recording), network });
    const ledger = Ledger.empty(network);
    let checked = 0;
    for (const block of await source.blocks(1, RECORDED_HEAD)) {
      if (block.height > 1) {
        const { forgingOrder } = ledger.round!;
        const slot = slotOf(ledger.milestones, block.timestamp, block.height, () => Number.NaN);
        expect(forgingOrder[slot % forgingOrder.length]).toBe(block.generatorPublicKey);
        checked += 1;
      }
      applyBlock(ledger, block);
    }
    await source.close();
    expect(checked).toBe(RECORDED_HEAD - 1);
  });
});
