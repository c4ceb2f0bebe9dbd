/** Base of everything that the rules of the chain refuse. `code` is stable and safe to branch on. */
export class ChainError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The network configuration cannot be used as it stands; the operator mends the file or names another. */
export class NetworkConfigError extends ChainError {
  constructor(message: string, options?: ErrorOptions) {
    super('NETWORK_CONFIG', message, options);
  }
}

/** A block that does not follow the rules: wrong id, payload hash, link or density. Nothing of it is stored. */
export class InvalidBlockError extends ChainError {
  constructor(
    readonly height: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super('INVALID_BLOCK', message, options);
  }
}

/** The working set or the tables contradict the chain: halt and shout. */
export class LedgerInvariantError extends ChainError {
  constructor(message: string, options?: ErrorOptions) {
    super('LEDGER_INVARIANT', message, options);
  }
}
