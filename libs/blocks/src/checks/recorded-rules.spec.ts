import { admitForger, applyBlock, Ledger, Rules, type Block, type RuleName } from '@roundhouse/chain';
import { checkBlock } from './check-block.js';
import { readNetwork, recordedBlocks } from './blocks.harness.js';

const ODD = 'odd-chains';

/** The rules that a recorded chain breaks without being refused, and how often. */
const warnedOf = (folder: string): Partial<Record<RuleName, number>> => {
  const network = readNetwork(`test-data/${folder}/network.json`);
  const ledger = Ledger.empty(network);
  const rules = new Rules({ now: () => Date.now() });
  const blocks = folder.startsWith(ODD) ? `${folder}/chain.ndjson` : folder;
  for (const recorded of recordedBlocks(blocks)) {
    const constants = ledger.milestones.at(recorded.height);
    const block: Block = checkBlock(recorded, { ...network, constants });
    admitForger(ledger, block);
    applyBlock(ledger, block, false, { rules });
  }
  return Object.fromEntries([...rules.takeWarnings()].map(([rule, { count }]) => [rule, count]));
};

describe('every rule', () => {
  it.each<[string, Partial<Record<RuleName, number>>]>([
    ['core-2.4', {}],
    ['core-2.4-full', {}],
    // These nodes ran in Core's test mode, which lets locks expire within a round.
    ['core-3.9', { lock: 6 }],
    ['core-3.9-full', { lock: 6 }],
    [`${ODD}/delegates-change-core-3`, {}],
    [`${ODD}/members-of-core-2.3`, {}],
    [`${ODD}/reward-from-height-1`, {}],
  ])('holds on the blocks of %s', (folder, warned) => {
    expect(warnedOf(folder)).toEqual(warned);
  });
});
