import { forgerAt, type Block, type ForgerList } from '@roundhouse/chain';
import type { ChainState } from '../chain/chain-state.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import type { Traffic } from '../traffic/traffic.js';
import { LieScene, type Change } from '../lies/lie.js';
import { ALL_LIES, type AnyLieName } from '../lies/lies.js';
import { buildBlock, signBlock } from './build-block.js';
import { Draft } from './draft.js';
import type { MissedSlots } from './missed-slots.js';

export interface ForgeParts {
  readonly ring: KeyRing;
  readonly traffic: Traffic;
  readonly missedSlots: MissedSlots;
  readonly signing: Signing;
}

export interface ForgeRequest {
  readonly slot: number;
  /** Puts clients' transactions into the block, before the chain's own traffic. */
  readonly admit?: (draft: Draft) => void;
  /** Not empty for a block that replaces another: its traffic and the missed slots differ. */
  readonly branch?: string;
  /** The list of forgers that the nodes have. (Default: the first possible one) */
  readonly list?: ForgerList;
  /** If false, its forger does not miss the slot. (Default: by the miss rate) */
  readonly isMissed?: false;
}

/**
 * The rule that an invalid block breaks: who may forge it (an active delegate, in its slot), its reward, or its version
 * (below 2^31).
 */
export type Breach = 'stranger' | 'forger' | 'reward' | 'version';

const UNLAWFUL_VERSION = 3_000_000_000;

/** Forges blocks on top of a state, but does not apply them. */
export class Forge {
  constructor(private readonly parts: ForgeParts) {}

  /** Returns the block of this slot; null if its delegate misses it or has a key that the seed does not know. */
  forge(state: ChainState, { slot, admit, branch = '', list, isMissed }: ForgeRequest): Block | null {
    const { ring, traffic, missedSlots, signing } = this.parts;
    const publicKey = forgerAt(list ?? state.ledger.round!, slot);
    const forger = ring.findByPublicKey(publicKey);
    if (!forger || (isMissed ?? missedSlots.isMissed(slot, publicKey, branch))) return null;
    const draft = new Draft(state);
    admit?.(draft);
    traffic.fill(draft, branch);
    return buildBlock({
      previous: state.ledger.head,
      timestamp: state.timeOf(slot),
      reward: state.ledger.milestones.at(state.height + 1).reward,
      transactions: draft.transactions,
      forger,
      signing,
    });
  }

  /** Returns the next block, in the first slot that is not missed. */
  forgeNext(state: ChainState, request: Omit<ForgeRequest, 'slot'> = {}): Block {
    for (let slot = state.slot + 1; ; slot += 1) {
      const block = this.forge(state, { slot, ...request });
      if (block) return block;
    }
  }

  /**
   * Returns the block, signed again after a change that breaks a rule of the chain. Its signature and id are correct.
   * `below`: the state before the block.
   */
  unlawful(below: ChainState, block: Block, breach: Breach): Block {
    const { ring, signing } = this.parts;
    const { genesisDelegates, genesis } = ring;
    const own = ring.findByPublicKey(block.generatorPublicKey)!;
    const slot = below.slotOf(block);
    const other = genesisDelegates.find(({ publicKey }) => below.isOutOfSlot(publicKey, slot))!;
    const forger = breach === 'stranger' ? genesis : breach === 'forger' ? other : own;
    const { id: _id, blockSignature: _signature, transactions: _, ...header } = block;
    const contents = {
      ...header,
      version: breach === 'version' ? UNLAWFUL_VERSION : header.version,
      reward: breach === 'reward' ? header.reward + 1n : header.reward,
    };
    return signBlock(contents, block.transactions, { forger, signing });
  }

  /**
   * Returns a block in place of the lawful one that tells this lie: signed by the delegate of its slot, as are its
   * transactions by their senders. `below`: the state before the block.
   */
  lying(below: ChainState, block: Block, name: AnyLieName): Block {
    const { ring, signing } = this.parts;
    const lie: Change = ALL_LIES[name];
    const scene = new LieScene(below, ring, signing, block);
    const header = { timestamp: block.timestamp, ...lie.header?.(scene) };
    const forger = ring.findByPublicKey(
      forgerAt(below.ledger.round!, below.slotOf({ ...block, ...header })),
    )!;
    const transactions = lie.transactions?.(scene) ?? block.transactions;
    const { reward } = block;
    const { timestamp } = header;
    const plan = { previous: below.ledger.head, timestamp, reward, transactions, forger, signing };
    const { id: _id, blockSignature: _signature, transactions: _, ...contents } = buildBlock(plan);
    return signBlock({ ...contents, ...header }, transactions, { forger, signing });
  }
}
