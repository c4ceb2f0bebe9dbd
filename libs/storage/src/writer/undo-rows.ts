import type { BlockUndo } from '@roundhouse/chain';
import { copyLine } from './copy-text.js';

export const UNDO_ACCOUNT_COLUMNS = [
  'height',
  'address',
  'existed',
  'public_key',
  'balance',
  'locked',
  'vote',
] as const;

export function* undoAccountLines(undos: Iterable<BlockUndo>): Generator<string, void> {
  for (const { height, accounts } of undos) {
    for (const { address, existed, publicKey, balance, locked, vote } of accounts) {
      yield copyLine([height, address, existed, publicKey, balance, locked, vote]);
    }
  }
}

export const UNDO_DELEGATE_COLUMNS = [
  'height',
  'public_key',
  'existed',
  'weight',
  'is_resigned',
  'produced_blocks',
  'missed_blocks',
  'forged_fees',
  'forged_rewards',
] as const;

export function* undoDelegateLines(undos: Iterable<BlockUndo>): Generator<string, void> {
  for (const { height, delegates } of undos) {
    for (const image of delegates) {
      yield copyLine([
        height,
        image.publicKey,
        image.existed,
        image.weight,
        image.isResigned,
        image.producedBlocks,
        image.missedBlocks,
        image.forgedFees,
        image.forgedRewards,
      ]);
    }
  }
}

export const UNDO_LOCK_COLUMNS = [
  'height',
  'transaction_id',
  'existed',
  'sender_address',
  'recipient_address',
  'amount',
] as const;

export function* undoLockLines(undos: Iterable<BlockUndo>): Generator<string, void> {
  for (const { height, locks } of undos) {
    // A lock that is opened and closed within one block was not there before it: its first image is the one that counts.
    const first = new Map(locks.toReversed().map((image) => [image.transactionId, image]));
    for (const { transactionId, existed, senderAddress, recipientAddress, amount } of first.values()) {
      yield copyLine([height, transactionId, existed, senderAddress, recipientAddress, amount]);
    }
  }
}
