import { idOfBytes } from '../blocks/block-id.js';
import { NO_BLOCK_ID, type BlockRef } from '../blocks/block.js';
import type { BlockRules } from '../blocks/check-block.js';
import { payloadHashOfBytes } from '../blocks/payload-hash.js';
import type { Exceptions } from '../network/exceptions.js';
import { amountOf, type AmountText, type BlockText } from './block-text.js';
import { headerTextBytes, writeHex } from './header-text-bytes.js';

const HALF = 2 ** 32;

/** Whether the amounts add up to `total`. Halves are added apart, which stays exact for two million of them. */
const addUp = (block: BlockText, of: 'amount' | 'fee', total: AmountText): boolean => {
  let low = 0;
  let high = 0;
  for (let i = 0; i < block.transactionCount; i += 1) {
    const amount = block.transaction(i)[of];
    low += amount.low;
    high += amount.high;
  }
  return high + Math.floor(low / HALF) === total.high && low % HALF === total.low;
};

const ID_BYTES = 32;
let ids = Buffer.allocUnsafe(ID_BYTES * 150);

const payloadHashOf = (block: BlockText): string => {
  const most = block.transactionCount * ID_BYTES;
  if (ids.length < most) ids = Buffer.allocUnsafe(most);
  let length = 0;
  for (let i = 0; i < block.transactionCount; i += 1)
    length = writeHex(ids, length, block.bytes, block.transaction(i).id);
  return payloadHashOfBytes(ids.subarray(0, length));
};

/** Whether the network's exceptions change what is right as it comes; those that only excuse do not matter then. */
const isExceptional = (block: BlockText, id: string, exceptions: Exceptions): boolean => {
  const { outlookTable, wrongTransactionOrder, transactionIdFixTable } = exceptions;
  if (outlookTable && Object.hasOwn(outlookTable, id)) return true;
  if (wrongTransactionOrder && Object.hasOwn(wrongTransactionOrder, id)) return true;
  if (!transactionIdFixTable) return false;
  for (let i = 0; i < block.transactionCount; i += 1) {
    if (Object.hasOwn(transactionIdFixTable, block.textOf(block.transaction(i).id))) return true;
  }
  return false;
};

const isPayloadHashRight = (block: BlockText, nethash: string): boolean =>
  block.textOf(block.payloadHash) === (block.height.value === 1 ? nethash : payloadHashOf(block));

/**
 * Checks all that `assertLinked` and `checkBlock` check, of a block with this id that follows `previous`, or nothing. False
 * does not refuse the block: they are to look at it, and to say what is wrong, or how an exception of the network has it.
 */
export const isPlainlyRight = (
  block: BlockText,
  id: string,
  previous: BlockRef | null,
  { nethash, exceptions, constants }: BlockRules,
): boolean =>
  block.height.value === (previous?.height ?? 0) + 1 &&
  block.previousId === (previous?.id ?? NO_BLOCK_ID) &&
  block.numberOfTransactions.value === block.transactionCount &&
  amountOf(block.reward) === constants.reward &&
  addUp(block, 'amount', block.totalAmount) &&
  addUp(block, 'fee', block.totalFee) &&
  isPayloadHashRight(block, nethash) &&
  id === idOfBytes(headerTextBytes(block, block.previousId), constants.idFullSha256) &&
  !isExceptional(block, id, exceptions);
