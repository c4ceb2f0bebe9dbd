/** The base of all errors of the chain's rules. `code` is stable and safe to branch on. */
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

/** The network configuration is invalid. The operator must correct the file or name another one. */
export class NetworkConfigError extends ChainError {
  constructor(message: string, options?: ErrorOptions) {
    super('NETWORK_CONFIG', message, options);
  }
}

/** A block breaks the rules: wrong id, payload hash, link or density. Nothing of it is stored. */
export class InvalidBlockError extends ChainError {
  constructor(
    readonly height: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super('INVALID_BLOCK', message, options);
  }
}

/** The working set or the tables contradict the chain. The indexer must stop. */
export class LedgerInvariantError extends ChainError {
  constructor(message: string, options?: ErrorOptions) {
    super('LEDGER_INVARIANT', message, options);
  }
}

/** The index has not counted all claims of locks, which change who forges: nothing can be concluded from it yet. */
export class UnknownClaimsError extends ChainError {
  /** `what` the index cannot tell. */
  constructor(what: string) {
    super(
      'UNKNOWN_CLAIMS',
      `The index cannot tell ${what}: it was begun by a version that did not count the claims of locks that change the ` +
        `forgers. Run "indexer rebuild", then try again. No block has to be fetched again.`,
    );
  }
}
