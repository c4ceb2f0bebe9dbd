/**
 * What a network's history holds against its own rules (protocol.md, "Blocks"). All keys are optional:
 * a young network has none of them.
 */
export interface Exceptions {
  /** Blocks that fail a check and count all the same. */
  readonly blocks?: readonly string[];
  /** Transactions that fail a check and count all the same. */
  readonly transactions?: readonly string[];
  /** Computed block id → the id that the chain uses instead. */
  readonly outlookTable?: Readonly<Record<string, string>>;
  /** Computed transaction id → the id that the chain uses instead. */
  readonly transactionIdFixTable?: Readonly<Record<string, string>>;
  /** Block id → its transactions' ids in the order that counts. */
  readonly wrongTransactionOrder?: Readonly<Record<string, readonly string[]>>;
  /** Block id → the transactions that an excepted block has been accepted with. */
  readonly blocksTransactions?: Readonly<Record<string, readonly string[]>>;
  /** Public key → nonce → the negative balance that the account may have at that nonce. */
  readonly negativeBalances?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
