import { parseNetwork, type Block } from '@roundhouse/chain';
import { Forge } from '../forging/forge.js';
import { MissedSlots } from '../forging/missed-slots.js';
import { genesisBlock } from '../genesis/genesis-block.js';
import { KeyRing } from '../keys/key-ring.js';
import { placeholderSigning, realSigning } from '../keys/signing.js';
import {
  DEFAULT_FORM,
  devnetNetwork,
  type ChainForm,
  type ChainTiming,
  type NetworkConfig,
} from '../network/devnet-network.js';
import { Traffic } from '../traffic/traffic.js';
import { ChainState } from './chain-state.js';

/** Everything that determines a chain, except its epoch. */
export interface ChainOptions {
  readonly seed: string;
  /** The number of accounts, in addition to the genesis delegates. */
  readonly accounts: number;
  /** (Default: 51 active delegates, prefix 30) */
  readonly form?: ChainForm;
  /** The number of delegates, including those of the genesis block, which are the active ones at first. */
  readonly delegates: number;
  readonly transactionsPerBlock: number;
  /** The share of slots that a careful delegate misses, from 0 to below 1. */
  readonly missRate: number;
  /** The share of votes that one delegate gets, from 0 to 1. */
  readonly popularity: number;
  /**
   * Whether a short chain has everything: rare acts occur often, and all accounts are rich and move much, so that the
   * ranks change all the time. (Default: as in a real network)
   */
  readonly isDense?: boolean;
  /** If false, signatures are placeholders; ids and hashes are still correct. */
  readonly hasSignatures: boolean;
}

export const DEFAULT_OPTIONS: Omit<ChainOptions, 'seed'> = {
  accounts: 300,
  delegates: 63,
  transactionsPerBlock: 3,
  missRate: 0.04,
  popularity: 0,
  hasSignatures: true,
};

/** The parts that make one chain. They hold its keys, but no block except the genesis block. */
export interface ChainMaker {
  readonly genesis: Block;
  readonly forge: Forge;
  network(timing: ChainTiming): NetworkConfig;
  /** The state before the genesis block. */
  emptyState(timing: ChainTiming): ChainState;
}

export const chainMaker = (options: ChainOptions): ChainMaker => {
  const { seed, accounts, delegates, transactionsPerBlock, missRate, popularity } = options;
  const { form = DEFAULT_FORM, isDense = false } = options;
  const signing = options.hasSignatures ? realSigning : placeholderSigning;
  const ring = new KeyRing(seed, form.pubKeyHash, { accounts, genesisDelegates: form.activeDelegates });
  const traffic = new Traffic(ring, signing, {
    transactionsPerBlock,
    delegates,
    popularity,
    isDense,
  });
  const missedSlots = new MissedSlots(seed, missRate);
  const genesis = genesisBlock(ring, signing, form.pubKeyHash, isDense);
  const network = (timing: ChainTiming): NetworkConfig => devnetNetwork(genesis.payloadHash, timing, form);
  return {
    genesis,
    forge: new Forge({ ring, traffic, missedSlots, signing }),
    network,
    emptyState: (timing) => new ChainState(parseNetwork(network(timing))),
  };
};

/**
 * Yields blocks 1 to `height`, each made on demand. Only the options determine them. `misplaced`: the height of a block
 * that another active delegate forges than the one that has the slot.
 */
export function* makeBlocks(
  { genesis, forge }: ChainMaker,
  state: ChainState,
  height: number,
  misplaced?: number,
): Generator<Block> {
  while (state.height < height) {
    const lawful = state.height === 0 ? genesis : forge.forgeNext(state);
    const block = lawful.height === misplaced ? forge.unlawful(state, lawful, 'forger') : lawful;
    state.apply(block, block === lawful ? 'slot' : 'active');
    yield block;
  }
}
