import { assertLinked, checkBlock, problemOfBlockSignatures } from '@roundhouse/blocks';
import {
  InvalidBlockError,
  MilestoneSchedule,
  ShapeError,
  type Block,
  type BlockRef,
  type Network,
} from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

const heightIn = (value: unknown): number | undefined => {
  const height = (value as { readonly height?: unknown } | null)?.height;
  return typeof height === 'number' ? height : undefined;
};

/**
 * Decodes what `source` returned. Throws `NodeProtocolError` if its shape is wrong. `what` names the value in
 * messages if it has no height.
 */
export const decodeFrom = <T>(
  source: string,
  what: string,
  value: unknown,
  decode: (value: unknown) => T,
  height = heightIn(value),
): T => {
  try {
    return decode(value);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const subject = height === undefined ? what : `${what} at height ${height}`;
    throw new NodeProtocolError(
      source,
      `${source} returned ${subject} in an invalid form: ${error.message}. Nothing of it was stored. ` +
        `Check that this is the right source, or use another one.`,
      { cause: error, ...(height === undefined ? {} : { height }) },
    );
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
    private readonly advice = 'if they agree, check NETWORK (its milestones and exceptions), otherwise use another BLOCK_SOURCE',
  ) {
    this.milestones = new MilestoneSchedule(network.milestones);
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
  refuse(
    { height }: Pick<BlockRef, 'height'>,
    problem: string,
    cause: unknown = new InvalidBlockError(height, problem),
  ): NodeProtocolError {
    return new NodeProtocolError(
      this.sourceName,
      `Block ${height} from ${this.sourceName}: ${problem}. Nothing of the range was stored. Compare the block with ` +
        `another node's; ${this.advice}.`,
      { cause, height },
    );
  }
}
