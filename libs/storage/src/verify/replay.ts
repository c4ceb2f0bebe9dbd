import { asRead, assertLinked, checkBlock, problemOfBlockSignatures, senderCheck } from '@roundhouse/blocks';
import {
  admitForger,
  applyBlock,
  type Block,
  type BlockChecks,
  ChainError,
  InvalidBlockError,
  type Ledger,
  type Network,
  type OnSender,
  Rules,
} from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { queryRows } from '@roundhouse/entities/sql';
import { loadWorkingSet } from '../writer/load-working-set.js';
import type { StoredBlock } from './stored-blocks.js';
import { formProblem } from './stored-form.js';

/** A stored block that contradicts itself or the blocks below it. */
export interface BadBlock {
  readonly height: number;
  readonly problem: string;
}

interface ReplayOptions {
  readonly network: Network;
  /** Blocks from this height on get before-images. */
  readonly firstUndo: number;
  /** Stop at the first stored block that contradicts itself, even if it can be applied. (Default: false) */
  readonly stopsAtBadBlock?: boolean;
  /** What the blocks must keep. (Default: every rule) */
  readonly rules?: Rules | undefined;
  /** Whether their signatures are verified. (Default: false) */
  readonly verifiesSignatures?: boolean | undefined;
}

const SELECT_MISPLACED = `SELECT height FROM roundhouse.misplaced_blocks`;

/** Applies stored blocks to a ledger and checks each of them. */
export class Replay {
  readonly badBlocks: BadBlock[] = [];
  /** How many transactions were applied. */
  transactions = 0;
  /** The blocks that FORGERS=active has accepted. */
  private misplaced: ReadonlySet<number> | null = null;
  private readonly rules: Rules;

  constructor(
    private readonly client: ClientBase,
    readonly ledger: Ledger,
    private readonly options: ReplayOptions,
  ) {
    this.rules = options.rules ?? new Rules();
  }

  /** False if a block could not be applied; the ledger may hold half of it then. */
  async apply(stored: readonly StoredBlock[]): Promise<boolean> {
    const blocks = stored.map(({ block }) => block);
    this.misplaced ??= new Set(
      (await queryRows<{ height: number }>(this.client, SELECT_MISPLACED)).map(({ height }) => height),
    );
    if (!this.ledger.holdsAll)
      await loadWorkingSet((sql, values) => queryRows(this.client, sql, values), this.ledger, blocks);
    for (const each of stored) {
      const { block } = each;
      try {
        assertLinked(block, this.ledger.head);
        if (!this.isSound(each) && this.options.stopsAtBadBlock) return false;
        applyBlock(this.ledger, block, block.height >= this.options.firstUndo, this.checksOf(block));
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        this.badBlocks.push({ height: block.height, problem: error.message });
        return false;
      }
      this.transactions += block.transactions.length;
    }
    return true;
  }

  /** A block that breaks a rule can be applied all the same. */
  private checksOf({ height }: Block): BlockChecks {
    const { rules, options } = this;
    const check = options.verifiesSignatures ? senderCheck(this.ledger, height) : undefined;
    if (options.stopsAtBadBlock) return { rules, onSender: check };
    return { rules, onBroken: (broken) => this.noteBroken(broken), onSender: check && this.noting(check) };
  }

  private noting(check: OnSender): OnSender {
    return (transaction, keys) => {
      try {
        check(transaction, keys);
      } catch (error) {
        if (!(error instanceof InvalidBlockError)) throw error;
        this.noteBroken({ height: error.height, problem: error.message });
      }
    };
  }

  /** One finding for each block. */
  private noteBroken({ height, problem }: BadBlock): void {
    if (this.badBlocks.at(-1)?.height !== height) this.badBlocks.push({ height, problem });
  }

  /** A block with wrong contents can often be applied anyway; then the tables are compared as well. */
  private isSound({ block, rows }: StoredBlock): boolean {
    const constants = this.ledger.milestones.at(block.height);
    try {
      const { network, verifiesSignatures } = this.options;
      const read = checkBlock(asRead(block), { ...network, constants });
      const problem =
        formProblem(rows, read.transactions) ??
        (verifiesSignatures ? problemOfBlockSignatures(read, network) : null);
      if (problem !== null) throw new InvalidBlockError(block.height, problem);
      // The slots depend on all blocks below: after one bad block, many good ones would look wrong.
      if (this.badBlocks.length === 0)
        admitForger(this.ledger, block, this.misplaced?.has(block.height) ? 'active' : 'slot');
      return true;
    } catch (error) {
      if (!(error instanceof InvalidBlockError)) throw error;
      this.badBlocks.push({ height: block.height, problem: error.message });
      return false;
    }
  }
}
