import { parseExactJson, type ExactInteger } from './exact-json.js';

/** An account that may forge, as `/status.json` tells of it. Amounts are arktoshi. */
export interface Delegate {
  readonly rank: number;
  readonly username: string;
  readonly publicKey: string;
  readonly address: string;
  readonly isActive: boolean;
  readonly isResigned: boolean;
  readonly weight: bigint;
  /** The weight's share of the supply in hundredths of a per cent. */
  readonly approval: number;
  readonly producedblocks: number;
  readonly missedblocks: number;
  readonly fees: bigint;
  readonly rewards: bigint;
  readonly forged: bigint;
}

export interface NewBlock {
  readonly height: number;
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly generatorPublicKey: string;
  /** Null where the key is no delegate's. */
  readonly username: string | null;
  readonly numberOfTransactions: number;
  readonly totalAmount: bigint;
  readonly totalFee: bigint;
  readonly reward: bigint;
}

export interface Slot {
  readonly slot: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly publicKey: string;
  readonly username: string | null;
  readonly state: 'forged' | 'missed' | 'due';
  readonly height: number | null;
}

export interface Round {
  readonly round: number;
  readonly firstHeight: number;
  readonly lastHeight: number;
  readonly missedSlots: number;
  readonly slots: readonly Slot[];
}

export interface EndedRound {
  readonly round: number;
  readonly firstHeight: number;
  readonly lastHeight: number;
  readonly blocks: number;
  readonly seconds: number;
  readonly missedSlots: number;
}

export interface Network {
  readonly name: string;
  readonly token: string;
  readonly symbol: string;
  /** Milliseconds since 1970. */
  readonly epoch: number;
  /** Seconds. */
  readonly blocktime: number;
  readonly activeDelegates: number;
  readonly reward: bigint;
}

/** What `/status.json` says, all of one head. */
export interface Status {
  readonly height: number;
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly supply: bigint;
  /** The node's height as last heard; null while nothing was heard. */
  readonly sourceHeight: number | null;
  readonly lastEventId: string | null;
  readonly network: Network;
  readonly round: Round;
  /** Oldest first. */
  readonly rounds: readonly EndedRound[];
  /** By rank. */
  readonly delegates: readonly Delegate[];
  /** Newest first. */
  readonly blocks: readonly NewBlock[];
}

/** The same as JSON has it: amounts as numbers or, where those are too small, as text. */
type Written<T> = { readonly [K in keyof T]: T[K] extends bigint ? ExactInteger : T[K] };

interface WrittenStatus extends Omit<Status, 'supply' | 'network' | 'delegates' | 'blocks'> {
  readonly supply: ExactInteger;
  readonly network: Omit<Written<Network>, 'epoch'> & { readonly epoch: string };
  readonly delegates: readonly Written<Delegate>[];
  readonly blocks: readonly Written<NewBlock>[];
}

const readDelegate = (written: Written<Delegate>): Delegate => ({
  ...written,
  weight: BigInt(written.weight),
  fees: BigInt(written.fees),
  rewards: BigInt(written.rewards),
  forged: BigInt(written.forged),
});

const readBlock = (written: Written<NewBlock>): NewBlock => ({
  ...written,
  totalAmount: BigInt(written.totalAmount),
  totalFee: BigInt(written.totalFee),
  reward: BigInt(written.reward),
});

/** Reads `/status.json`, whose shape docs/events.md has. */
export const readStatus = (json: string): Status => {
  const written = parseExactJson(json) as WrittenStatus;
  const { network } = written;
  return {
    ...written,
    supply: BigInt(written.supply),
    network: { ...network, epoch: Date.parse(network.epoch), reward: BigInt(network.reward) },
    delegates: written.delegates.map(readDelegate),
    blocks: written.blocks.map(readBlock),
  };
};

/** Seconds since the chain's epoch as milliseconds since 1970. */
export const timeOf = ({ network }: Status, timestamp: number): number => network.epoch + timestamp * 1000;

export const delegateWithKey = ({ delegates }: Status, publicKey: string): Delegate | undefined =>
  delegates.find((delegate) => delegate.publicKey === publicKey);

/** How many blocks the index is behind the node: negative where the node is behind, 0 while nothing was heard of it. */
export const blocksBehind = ({ sourceHeight, height }: Status): number =>
  sourceHeight === null ? 0 : sourceHeight - height;

/** The chain without the blocks above a height, as far as it is shown: what a fork undoes. */
export const undoneTo = (status: Status, commonHeight: number): Status => {
  const blocks = status.blocks.filter(({ height }) => height <= commonHeight);
  const [head] = blocks;
  return head
    ? { ...status, ...{ height: head.height, id: head.id, timestamp: head.timestamp }, blocks }
    : status;
};
