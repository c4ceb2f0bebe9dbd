import type { AddressBook } from '../accounts/address.js';

/**
 * Why a balance changes. `sent` and `received`: a transfer; `payment`: one of a multi-payment; `fee`: a transaction that
 * moves no amount of the account; `lock`, `claim`, `refund`: an HTLC lock of the account, or one that pays it; `forged`: a
 * block, `amount` is its reward, `fee` what its transactions paid.
 */
export const STATEMENT_KINDS = [
  'sent',
  'received',
  'payment',
  'fee',
  'lock',
  'claim',
  'refund',
  'forged',
] as const;

export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** A change of a balance, in arktoshi; `balance` is the one before plus `amount` plus `fee`. */
export interface StatementEntry {
  /** ISO 8601, of the block. */
  readonly time: string;
  readonly height: number;
  /** Null for a block. */
  readonly transactionId: string | null;
  readonly kind: StatementKind;
  /** The address on the other side; null if there is none. */
  readonly counterparty: string | null;
  readonly amount: bigint;
  /** Less than 0 for one that the account paid, more than 0 for what a forger earned. */
  readonly fee: bigint;
  readonly balance: bigint;
}

/** As the tables have it: the other side is the public key of a sender or the address of a recipient. Amounts are text. */
export type StatementRow = readonly [
  height: number,
  timestamp: number,
  transactionId: string | null,
  kind: StatementKind,
  senderKey: string | null,
  recipient: string | null,
  amount: string,
  fee: string,
  balance: string,
];

/** @param addresses of the chain; @param epoch in seconds since 1970 */
export const entryOf = (
  [height, timestamp, transactionId, kind, senderKey, recipient, amount, fee, balance]: StatementRow,
  addresses: AddressBook,
  epoch: number,
): StatementEntry => ({
  time: new Date((epoch + timestamp) * 1000).toISOString(),
  height,
  transactionId,
  kind,
  counterparty: senderKey === null ? recipient : addresses.addressOf(senderKey),
  amount: BigInt(amount),
  fee: BigInt(fee),
  balance: BigInt(balance),
});

/** The balance at both ends of a range of heights. */
export interface StatementEnds {
  readonly from: number;
  readonly to: number;
  /** Before the block at `from`, in arktoshi. */
  readonly opening: bigint;
  /** After the block at `to`. */
  readonly closing: bigint;
}

/** The recipient of an unknown type may be any text. */
const cellOf = (text: string): string => (/^\w*$/.test(text) ? text : `"'${text.replaceAll('"', '""')}"`);

/** No cell begins a formula. */
export const STATEMENT_CSV_HEADER = 'time,height,transaction,kind,counterparty,amount,fee,balance';

export const statementCsvLine = (entry: StatementEntry): string =>
  `${entry.time},${entry.height},${entry.transactionId ?? ''},${entry.kind},${cellOf(entry.counterparty ?? '')},${entry.amount},${entry.fee},${entry.balance}`;

/** A CSV's first line after the header, and its last. */
export const statementCsvEnds = ({
  from,
  to,
  opening,
  closing,
}: StatementEnds): readonly [string, string] => [
  `,${from - 1},,opening,,,,${opening}`,
  `,${to},,closing,,,,${closing}`,
];
