/** What a short look at a source has shown. What it does not tell is null. */
export interface SourceReport {
  /** Its name, without credentials. */
  readonly source: string;
  readonly kind: 'api' | 'database' | 'archive';
  /** `Core 2.x`, `Core 3.x`, or the chain whose rules it has. */
  readonly line: string | null;
  /** The version of the node. */
  readonly version: string | null;
  readonly network: ReportedNetwork | null;
  readonly height: number | null;
  /** The age of the newest block by this machine's clock. */
  readonly newestBlockSeconds: number | null;
  /** The number of transactions in its genesis block. */
  readonly genesisTransactions: number | null;
  /** What verified the signatures of the blocks that were read; null with `VERIFY=hash`, or if none were read. */
  readonly signaturesBy: string | null;
  readonly sample: Sample | null;
  /** As far as it came: the first wrong block ends it. */
  readonly tried: Tried | null;
  readonly rateLimit: RateLimit | null;
  /** Estimated from the sample and the rate limit, for all blocks; applying them is not included. */
  readonly secondsToRead: number | null;
  /** How far the node's clock is ahead of this machine's; negative if it is behind. */
  readonly clockAheadSeconds: number | null;
  /** Why it cannot be used. Empty if it can. */
  readonly problems: readonly string[];
  /** What an operator should know. */
  readonly remarks: readonly string[];
}

export interface ReportedNetwork {
  readonly name: string;
  readonly nethash: string;
  readonly token: string;
  /** The first byte of an address. */
  readonly pubKeyHash: number;
  /** These two at the newest block. */
  readonly activeDelegates: number;
  readonly blockSeconds: number;
}

/** Blocks that were read and checked. */
export interface Sample {
  readonly blocks: number;
  readonly transactions: number;
  /** 0 if the source is not a node's API. */
  readonly requests: number;
  readonly seconds: number;
  readonly lowestHeight: number;
  readonly highestHeight: number;
}

/** What decides whether an indexer gets on. */
export interface Tried {
  /** From the genesis block on, applied to a ledger. */
  readonly firstBlocks: number;
  /** The changes of rules around which blocks were read and checked. */
  readonly ruleChanges: number;
  /** The places in between at which blocks were read and checked. */
  readonly places: number;
  /** Of all blocks that were read. */
  readonly transactions: number;
}

export interface RateLimit {
  /** In one period. */
  readonly requests: number;
  readonly periodSeconds: number;
}
