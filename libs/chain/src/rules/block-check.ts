import type { Block } from '../blocks/block.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ChainConstants } from '../network/milestones.js';
import type { Transaction } from '../transactions/transaction.js';
import type { BrokenRule, RuleName, Rules } from './rules.js';

/** Is told of each broken rule, in place of an error. */
export type OnBroken = (broken: BrokenRule) => void;

/** Holds the rules against one block, before the ledger applies what it checks. */
export class BlockCheck {
  readonly constants: ChainConstants;
  /** Those of the block below: Core judges transactions by them, as it learns of a height after its block (`setLastBlock`). */
  readonly constantsBelow: ChainConstants;

  constructor(
    readonly ledger: Ledger,
    readonly block: Block,
    readonly rules: Rules,
    private readonly onBroken?: OnBroken,
  ) {
    this.constants = ledger.milestones.at(block.height);
    this.constantsBelow = ledger.milestones.at(block.height - 1);
  }

  get height(): number {
    return this.block.height;
  }

  /**
   * Says that the block breaks a rule. Throws `InvalidBlockError`, unless the rule only warns or the network's exceptions
   * list the transaction. `isDoubtful`: some version of Core accepts it, so it is only a warning.
   */
  broken(rule: RuleName, problem: string, transaction?: Transaction, isDoubtful = false): void {
    const { ledger, height, rules } = this;
    if (transaction && ledger.network.exceptions.transactions?.includes(transaction.id)) return;
    const whole = transaction ? `transaction ${transaction.id} ${problem}` : problem;
    if (isDoubtful || rules.isLenient(rule)) {
      rules.warn({ rule, height, problem: whole });
      return;
    }
    const said = `${whole} (rule "${rule}"; LENIENT_RULES=${rule} accepts it)`;
    if (this.onBroken === undefined) throw new InvalidBlockError(height, said);
    this.onBroken({ rule, height, problem: said });
  }
}

/**
 * The check of a block; null for the genesis block, which no node checks, and for a block that the network's exceptions
 * list.
 */
export const checkOf = (
  ledger: Ledger,
  block: Block,
  rules: Rules,
  onBroken?: OnBroken,
): BlockCheck | null =>
  block.height === 1 || ledger.network.exceptions.blocks?.includes(block.id)
    ? null
    : new BlockCheck(ledger, block, rules, onBroken);
