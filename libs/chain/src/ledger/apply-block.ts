import type { Block } from '../blocks/block.js';
import type { Transaction } from '../transactions/transaction.js';
import { roundOf } from '../rounds/rounds.js';
import {
  checkHeader,
  checkOf,
  checkTransaction,
  type BlockCheck,
  type OnBroken,
} from '../rules/block-check.js';
import type { Rules } from '../rules/rules.js';
import { effectOf } from '../types/of-type.js';
import { beginFirstRound, endRound } from './end-round.js';
import type { Ledger } from './ledger.js';
import type { Account, RoundBlock } from './state.js';

/** What a block is checked for while it is applied. */
export interface BlockChecks {
  /** (Default: none are checked) */
  readonly rules?: Rules | undefined;
  /** (Default: a broken rule is an error) */
  readonly onBroken?: OnBroken | undefined;
  readonly onSender?: OnSender | undefined;
}

/** Is told each transaction and its sender's account as it was before the transaction. */
export type OnSender = (transaction: Transaction, sender: Readonly<Account>) => void;

const applyTransaction = (
  ledger: Ledger,
  transaction: Transaction,
  height: number,
  sequence: number,
  check: BlockCheck | null,
  onSender?: OnSender,
): void => {
  const sender = ledger.signer(transaction.senderPublicKey);
  onSender?.(transaction, sender);
  if (check !== null) checkTransaction(check, transaction, sender);
  ledger.countSent(sender);
  ledger.move(sender, -transaction.fee);
  effectOf(transaction)(transaction, { ledger, sender, height, sequence });
};

const payGenerator = (ledger: Ledger, { generatorPublicKey, reward, totalFee }: Block): void => {
  ledger.move(ledger.signer(generatorPublicKey), reward + totalFee);
  const delegate = ledger.findDelegate(generatorPublicKey);
  if (delegate !== null) ledger.countForged(delegate, totalFee, reward);
};

/** Counts the block to its round; true if it was the round's last one, so that the next round's forgers are fixed. */
const countToRound = (ledger: Ledger, { height, id, timestamp, generatorPublicKey }: Block): boolean => {
  const block: RoundBlock = { height, id, timestamp, generatorPublicKey };
  if (height === 1) beginFirstRound(ledger, block);
  ledger.forged.push(block);
  const { round, milestones } = ledger;
  if (round && height < roundOf(milestones, round.firstHeight).lastHeight) return false;
  endRound(ledger, block);
  return true;
};

const assertNext = (ledger: Ledger, block: Block): void => {
  const { head } = ledger;
  if (block.height === (head?.height ?? 0) + 1 && (head === null || block.previousBlock === head.id)) return;
  throw new TypeError(
    `Block ${block.height} (on ${block.previousBlock}) cannot be applied to ${head?.height ?? 0} (${head?.id ?? 'nothing'}).`,
  );
};

/**
 * Applies one checked block: its transactions in order, then the pay of its forger, then the end of the round
 * (protocol.md, "Transactions", "Rounds"). The same ledger and block always give the same changes. `keepsUndo`:
 * whether to keep before-images, so that the block can be undone. Throws `InvalidBlockError`.
 */
export const applyBlock = (
  ledger: Ledger,
  block: Block,
  keepsUndo = false,
  { rules, onBroken, onSender }: BlockChecks = {},
): void => {
  assertNext(ledger, block);
  const { head: previous, accountCount } = ledger;
  const check = rules ? checkOf(ledger, block, rules, onBroken) : null;
  if (check !== null) checkHeader(check);
  ledger.begin(block.height, keepsUndo);
  block.transactions.forEach((transaction, sequence) => {
    applyTransaction(ledger, transaction, block.height, sequence, check, onSender);
  });
  payGenerator(ledger, block);
  const isRoundEnd = countToRound(ledger, block);
  const { height, id, timestamp } = block;
  const issued = height === 1 ? block.totalAmount : 0n;
  ledger.moveHead({ height, id, timestamp, supply: ledger.supply + issued + block.reward });
  if (isRoundEnd) ledger.digestRound();
  ledger.countDay(block, previous, ledger.accountCount - accountCount);
  ledger.end();
};
