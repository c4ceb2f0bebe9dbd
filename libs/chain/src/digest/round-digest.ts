import { sha256As } from '../crypto/crypto.js';
import type { ForgingRound, LedgerHead } from '../ledger/state.js';
import type { StateSums } from './value-sums.js';

/** The state after a round's last block as a short text by which indexes are compared. */
export interface RoundDigest extends StateSums {
  readonly round: number;
  /** The round's last block. */
  readonly height: number;
  /** SHA-256 in hex over the block, the supply, the sums and the next round's forging order. */
  readonly digest: string;
}

/** `head` is the last block of the round before `next`. */
export const roundDigest = (
  head: LedgerHead,
  sums: StateSums,
  next: Omit<ForgingRound, 'weights'>,
): RoundDigest => {
  const round = next.round - 1;
  const { height, id, supply } = head;
  const { accounts, delegates, locks } = sums;
  const lines = [round, height, id, supply, accounts, delegates, locks, ...next.forgingOrder];
  // Most chains have neither, and keep the digests that earlier versions gave them.
  if (next.firstSlot > 0 || next.forgottenClaims > 0) lines.push(`${next.firstSlot} ${next.forgottenClaims}`);
  return { round, height, ...sums, digest: sha256As('hex', lines.join('\n')) };
};
