/** The newest block. `blocks` is how many blocks the head moved by: 0 after a fork. */
export interface HeadEvent {
  readonly type: 'head';
  readonly id: string;
  readonly data: {
    readonly height: number;
    readonly id: string;
    /** Seconds since the chain's epoch. */
    readonly timestamp: number;
    readonly generatorPublicKey: string;
    /** Null if no delegate has this key (the genesis block). */
    readonly username: string | null;
    readonly numberOfTransactions: number;
    readonly totalAmount: bigint;
    readonly totalFee: bigint;
    readonly reward: bigint;
    readonly forged: bigint;
    readonly blocks: number;
    readonly supply: bigint;
  };
}

/** A round has ended, and the forgers of the next one are known. */
export interface RoundEvent {
  readonly type: 'round';
  readonly id: string;
  readonly data: {
    readonly round: number;
    readonly firstHeight: number;
    readonly forgingOrder: readonly string[];
    /** Null for round 1. */
    readonly ended: {
      readonly round: number;
      readonly firstHeight: number;
      readonly missed: readonly { readonly publicKey: string; readonly username: string | null }[];
    } | null;
  };
}

/** Everything above `commonHeight` is undone. */
export interface ForkEvent {
  readonly type: 'fork';
  readonly id: string;
  readonly data: {
    readonly commonHeight: number;
    readonly commonId: string;
    readonly from: { readonly height: number; readonly id: string };
  };
}

/** The missed events are no longer known. Start over, as after a fork down to 0. */
export interface ResetEvent {
  readonly type: 'reset';
  readonly id: null;
  readonly data: { readonly commonHeight: number };
}

export type ChainEvent = HeadEvent | RoundEvent | ForkEvent | ResetEvent;
