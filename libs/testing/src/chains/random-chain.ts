import type { Block, ForgerList, Ledger, Network } from '@roundhouse/chain';
import { ChainState, SeededRandom } from '@roundhouse/forging';
import { makerOf } from './forged-chain.js';
import { PREFIX, testNetwork } from './test-network.js';

export interface RandomChainOptions {
  readonly seed: number;
  readonly blocks: number;
  /** (Default: 40) */
  readonly accounts?: number;
  /** From this height on, the chain differs from that of the same seed without this option. */
  readonly forkFrom?: number;
}

export interface RandomChain {
  readonly network: Network;
  readonly blocks: readonly Block[];
}

/** The list of the nodes, which sometimes restart, and are all of Core 2 or all of Core 3. */
const listFor = (seed: number, { candidates, round }: Ledger): ForgerList => {
  const random = SeededRandom.of(seed, 'restarts', round!.round);
  const lists = [round!, ...candidates];
  const slots = lists.map(({ firstSlot }) => firstSlot);
  const firstSlot = seed % 2 === 0 ? Math.min(...slots) : Math.max(...slots);
  const possible = lists.filter((list) => list.firstSlot === firstSlot);
  return random.chance(0.5) ? possible[0]! : random.pick(possible);
};

/** A valid chain with all kinds of transactions. The same options give the same chain. Its signatures are placeholders. */
export const randomChain = ({ seed, blocks, accounts = 40, forkFrom }: RandomChainOptions): RandomChain => {
  const { genesis, forge } = makerOf({
    seed: `random ${seed}`,
    form: { activeDelegates: 5, pubKeyHash: PREFIX },
    accounts,
    delegates: 14,
    transactionsPerBlock: 4,
    missRate: 0.25,
    popularity: 0,
    isDense: true,
    hasSignatures: false,
  });
  const network = testNetwork(seed, genesis.payloadHash);
  const state = new ChainState(network);
  const made = [genesis];
  state.apply(genesis);
  let list: ForgerList | null = null;
  while (made.length < blocks) {
    // Nothing but the genesis block is forged of this round yet.
    if (list === null || state.ledger.forged.every(({ height }) => height === 1))
      list = listFor(seed, state.ledger);
    const branch = forkFrom !== undefined && state.height + 1 >= forkFrom ? `from ${forkFrom}` : '';
    const block = forge.forgeNext(state, { list, branch });
    state.apply(block);
    made.push(block);
  }
  return { network, blocks: made };
};
