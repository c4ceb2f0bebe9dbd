import type { ChainState } from '../chain/chain-state.js';
import type { RawBlock } from '../chain/raw-block.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Signing } from '../keys/signing.js';
import type { Traffic } from '../traffic/traffic.js';
import { buildBlock } from './build-block.js';
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
  /** Puts what clients have sent into the block before the devnet's own traffic. */
  readonly admit?: (draft: Draft) => void;
  /** Not empty for a block that replaces another: other traffic, and the forger does not miss its slot. */
  readonly branch?: string;
}

/** Makes the blocks on top of a state; it does not apply them. */
export class Forge {
  constructor(private readonly parts: ForgeParts) {}

  /** The block of this slot, or null where its delegate misses it or its key is not the seed's. */
  forge(state: ChainState, { slot, admit, branch = '' }: ForgeRequest): RawBlock | null {
    const { ring, traffic, missedSlots, signing } = this.parts;
    const publicKey = state.forgerOf(slot);
    const forger = ring.findByPublicKey(publicKey);
    if (!forger || (branch === '' && missedSlots.isMissed(slot, publicKey))) return null;
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

  /** The next block, as many slots after the head as are missed. */
  forgeNext(state: ChainState, admit?: (draft: Draft) => void): RawBlock {
    for (let slot = state.slot + 1; ; slot += 1) {
      const block = this.forge(state, { slot, ...(admit ? { admit } : {}) });
      if (block) return block;
    }
  }
}
