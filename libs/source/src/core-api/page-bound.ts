import type { Network } from '@roundhouse/chain';

/** The largest answer that is read. */
export interface PageBound {
  readonly bytes: number;
  /** The limits of the chain that it follows from, as the end of a sentence. */
  readonly reason: string;
}

const MIB = 1024 * 1024;

/** For all other answers: a hundred blocks, delegates, a configuration with its genesis block. */
export const USUAL_BOUND: PageBound = {
  bytes: 16 * MIB,
  reason: 'the configuration names no larger block (block.maxPayload)',
};

/** As for a line of an archive: memory is bounded whatever a configuration names. */
const MOST_BYTES = 256 * MIB;

/** The most that one byte takes: a control character is six in JSON, and Core 2.5 shows it in hexadecimal as well. */
const JSON_BYTES_PER_BYTE = 8;

/** The names of fields, and values that a node adds. */
const JSON_BYTES_PER_TRANSACTION = 2 * 1024;

/** Core counts a block with its transactions in bytes (`Block.verify`), so one of its pages in JSON is bounded by that. */
export const pageBoundOf = ({ milestones }: Network): PageBound => {
  const largest = (key: string): number => {
    const values = milestones.map(({ block }) =>
      Number((block as Record<string, unknown> | undefined)?.[key]),
    );
    return Math.max(0, ...values.filter((value) => value > 0));
  };
  const [payload, transactions] = [largest('maxPayload'), largest('maxTransactions')];
  const bytes = Math.min(
    payload * JSON_BYTES_PER_BYTE + transactions * JSON_BYTES_PER_TRANSACTION,
    MOST_BYTES,
  );
  if (bytes <= USUAL_BOUND.bytes) return USUAL_BOUND;
  return {
    bytes,
    reason: `a block of this chain has at most ${payload} bytes (block.maxPayload) and ${transactions} transactions (block.maxTransactions)`,
  };
};
