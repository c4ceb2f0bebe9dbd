import {
  assertLinked,
  checkBlock,
  InvalidBlockError,
  isExcepted,
  isPlainlyRight,
  MilestoneSchedule,
  verifyBlockSignature,
  type Block,
  type BlockRef,
  type BlockRules,
  type BlockText,
  type Network,
} from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

/** `hash`: links, ids, payload hashes and totals; `full`: block signatures as well. */
export type Verification = 'hash' | 'full';

/** The checks that are the same for all sources, on a range as a whole: nothing of one with a wrong block gets out. */
export class BlockChecker {
  private readonly milestones: MilestoneSchedule;

  constructor(
    private readonly sourceName: string,
    private readonly network: Network,
    private readonly verification: Verification,
    /** What to do where another node has the same block. */
    private readonly advice = 'if they agree, check NETWORK (its milestones and exceptions), otherwise take another BLOCK_SOURCE',
  ) {
    this.milestones = new MilestoneSchedule(network.milestones);
  }

  /** Checks all but the signatures of blocks that were asked for from height `from` on. Throws `NodeProtocolError`. */
  check(received: readonly Block[], from: number): Block[] {
    let previous = this.before(received[0], from);
    const checked: Block[] = [];
    for (const block of received) {
      checked.push(this.checkOne(block, previous));
      previous = block;
    }
    return checked;
  }

  /** What stands for the block below the first of a range: its link is checked where the ranges are put together. */
  before(first: Pick<Block, 'previousBlock'> | undefined, from: number): BlockRef | null {
    return first === undefined || from === 1 ? null : { height: from - 1, id: first.previousBlock };
  }

  /** Checks all but the signature. Throws `NodeProtocolError`. */
  checkOne(block: Block, previous: BlockRef | null): Block {
    try {
      assertLinked(block, previous);
      return checkBlock(block, this.rulesAt(block.height));
    } catch (error) {
      throw error instanceof InvalidBlockError ? this.refuse(block, error.message, error) : error;
    }
  }

  /** Whether all is right with a block that is at hand as text; false means that `checkOne` is to look at it. */
  isPlainlyRight(text: BlockText, id: string, previous: BlockRef | null): boolean {
    return isPlainlyRight(text, id, previous, this.rulesAt(text.height.value));
  }

  get verifiesSignatures(): boolean {
    return this.verification === 'full';
  }

  /** Throws `NodeProtocolError`. */
  async verifySignatures(blocks: readonly Block[]): Promise<void> {
    const verdicts = await Promise.all(blocks.map((block) => verifyBlockSignature(block)));
    const wrong = blocks.find(
      (block, index) => !verdicts[index] && !isExcepted(block, this.network.exceptions),
    );
    if (wrong)
      throw this.refuse(wrong, `its blockSignature is not by its generator ${wrong.generatorPublicKey}`);
  }

  private rulesAt(height: number): BlockRules {
    const { nethash, exceptions } = this.network;
    return { nethash, exceptions, constants: this.milestones.at(height) };
  }

  /** The error that says what is wrong with a block of this source. */
  refuse(block: Block, problem: string, cause?: unknown): NodeProtocolError {
    return new NodeProtocolError(
      this.sourceName,
      `Block ${block.height} from ${this.sourceName}: ${problem}. Nothing of the range was stored. Compare the block with ` +
        `another node's; ${this.advice}.`,
      { cause, height: block.height },
    );
  }
}
