import { assertLinked, checkBlock, problemOfBlockSignatures } from '@roundhouse/blocks';
import {
  InvalidBlockError,
  MilestoneSchedule,
  ShapeError,
  type Block,
  type BlockRef,
  type MergedMilestones,
  type Network,
} from '@roundhouse/chain';
import type { NodeProtocolError } from '../errors/node-errors.js';
import { CHECK_NETWORK, invalidForm, wrongBlock } from './refusal.js';

/**
 * Decodes what `source` returned. Throws `NodeProtocolError` if its shape is wrong. `what` names the value in
 * messages if it has no height.
 */
export const decodeFrom = <T>(
  source: string,
  what: string,
  value: unknown,
  decode: (value: unknown) => T,
  height?: number,
): T => {
  try {
    return decode(value);
  } catch (error) {
    throw error instanceof ShapeError ? invalidForm(source, what, value, error, height) : error;
  }
};

/** `hash`: links, ids of blocks and transactions, payload hashes and totals; `full`: their signatures as well. */
export type Verification = 'hash' | 'full';

/** A stand-in for the block below the first of a range. That link is checked when ranges are joined. */
const below = (previousBlock: string, from: number): BlockRef | null =>
  from === 1 ? null : { height: from - 1, id: previousBlock };

/** The checks that are the same for all sources. A range that contains a wrong block is refused as a whole. */
export class BlockChecker {
  private readonly milestones: MilestoneSchedule;

  constructor(
    private readonly sourceName: string,
    private readonly network: Network,
    private readonly verification: Verification,
    /** What to do if another node has the same block. */
    private readonly advice = CHECK_NETWORK,
    merged?: MergedMilestones,
  ) {
    this.milestones = new MilestoneSchedule(network.milestones, merged);
  }

  /**
   * Checks everything except signatures. The blocks were requested from height `from` on. Throws
   * `NodeProtocolError`.
   */
  check(received: readonly Block[], from: number): Block[] {
    return received.map((block, place) => this.checkOne(block, received[place - 1] ?? null, from));
  }

  /**
   * Checks everything except the signatures of a block. The block must follow `previous`; if that is null, it must
   * have height `from` and may follow any block. Throws `NodeProtocolError`.
   */
  checkOne(block: Block, previous: BlockRef | null, from: number): Block {
    try {
      assertLinked(block, previous ?? below(block.previousBlock, from));
      const { nethash, exceptions, pubKeyHash } = this.network;
      const constants = this.milestones.at(block.height);
      return checkBlock(block, { nethash, exceptions, pubKeyHash, constants });
    } catch (error) {
      throw error instanceof InvalidBlockError ? this.refuse(block, error.message, error) : error;
    }
  }

  get verifiesSignatures(): boolean {
    return this.verification === 'full';
  }

  /** Verifies the signatures of checked blocks. Throws `NodeProtocolError`. */
  verifySignatures(blocks: readonly Block[]): void {
    for (const block of blocks) {
      const problem = problemOfBlockSignatures(block, this.network);
      if (problem !== null) throw this.refuse(block, problem);
    }
  }

  /** The error that says what is wrong with a block of this source. */
  refuse({ height }: Pick<BlockRef, 'height'>, problem: string, cause?: unknown): NodeProtocolError {
    return wrongBlock(this.sourceName, height, problem, this.advice, cause);
  }
}
