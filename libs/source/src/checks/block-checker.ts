import {
  assertLinked,
  checkBlock,
  checkText,
  isExceptedText,
  signatureOf,
  transactionSignaturesOf,
  isSigned,
  type BlockRules,
  type BlockText,
  type Signed,
  type TransactionSignature,
} from '@roundhouse/blocks';
import {
  InvalidBlockError,
  MilestoneSchedule,
  type Block,
  type BlockRef,
  type Network,
} from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';

/** `hash`: links, ids of blocks and transactions, payload hashes and totals; `full`: their signatures as well. */
export type Verification = 'hash' | 'full';

/** A block's signatures, kept for later verification: by then its text may hold another block. */
export interface SignedBlock {
  readonly height: number;
  readonly signature: Signed;
  /** Whether the block may have a wrong signature: a listed exception, or the genesis block, which no node verifies. */
  readonly isExcepted: boolean;
  readonly transactions: readonly TransactionSignature[];
}

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
    let previous = received[0] ? below(received[0].previousBlock, from) : null;
    const checked: Block[] = [];
    for (const block of received) {
      checked.push(
        this.refusing(block, () => {
          assertLinked(block, previous);
          return checkBlock(block, this.rulesAt(block.height));
        }),
      );
      previous = block;
    }
    return checked;
  }

  /**
   * Checks everything except the signature of a block. The block must follow `previous`; if that is null, it must
   * have height `from` and may follow any block. The text is filled again if an exception of the network changes
   * the block. Throws `NodeProtocolError`.
   */
  checkText(text: BlockText, previous: BlockRef | null, from: number): void {
    const { previousId: previousBlock } = text;
    const height = text.height.value;
    this.refusing({ height }, () => {
      assertLinked({ height, previousBlock }, previous ?? below(previousBlock, from));
      checkText(text, this.rulesAt(height));
    });
  }

  get verifiesSignatures(): boolean {
    return this.verification === 'full';
  }

  signed(text: BlockText): SignedBlock {
    return {
      height: text.height.value,
      signature: signatureOf(text),
      isExcepted: text.height.value === 1 || isExceptedText(text, this.network.exceptions),
      transactions: transactionSignaturesOf(text, this.network),
    };
  }

  /** Throws `NodeProtocolError`. */
  verifySignatures(blocks: readonly SignedBlock[]): void {
    const wrong = blocks.find(({ isExcepted, signature }) => !isExcepted && !isSigned(signature));
    if (wrong)
      throw this.refuse(wrong, `its blockSignature is not by its generator ${wrong.signature.publicKey}`);
    for (const block of blocks) {
      for (const signed of block.transactions) {
        if (isSigned(signed)) continue;
        throw this.refuse(
          block,
          `transaction ${signed.transactionId} has a signature that is not by ${signed.publicKey || 'a member'}`,
        );
      }
    }
  }

  private refusing<T>(block: Pick<BlockRef, 'height'>, check: () => T): T {
    try {
      return check();
    } catch (error) {
      throw error instanceof InvalidBlockError ? this.refuse(block, error.message, error) : error;
    }
  }

  private rulesAt(height: number): BlockRules {
    const { nethash, exceptions, pubKeyHash } = this.network;
    return { nethash, exceptions, pubKeyHash, constants: this.milestones.at(height) };
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
