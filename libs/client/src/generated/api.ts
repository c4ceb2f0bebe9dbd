// Made by npm run generate from the OpenAPI document of the api: change the DTOs there.
/* eslint-disable */

export interface FeeResponse {
  /** The fee in arktoshi. */
  readonly fee: bigint;
  /** Always true in an answer. */
  readonly success: true;
}

export interface ErrorResponse {
  /** Always false in an error. */
  readonly success: boolean;
  /** One plain sentence that says what is wrong. */
  readonly error: string;
}

export interface Network {
  /** Hash that identifies the network, in hexadecimal. */
  readonly nethash: string;
  /** Name of the token. */
  readonly token: string;
  /** Symbol of the token. */
  readonly symbol: string;
  /** Address of the network's explorer. */
  readonly explorer: string;
  /** First byte of the network's addresses. */
  readonly version: number;
}

export interface AutoconfigureResponse {
  /** Always true in an answer. */
  readonly success: true;
  /** The network that is served. */
  readonly network: Network;
}

export interface LoaderStatusResponse {
  /** Whether the index has caught up with the node: at most one block behind. */
  readonly loaded: boolean;
  /** Height of the newest indexed block; 0 before the first. */
  readonly now: number;
  /** The node's height minus `now`; negative when the node is behind. */
  readonly blocksCount: number;
  /** Always true in an answer. */
  readonly success: true;
}

export interface SyncStatusResponse {
  /** Whether the index is still catching up with the node. */
  readonly syncing: boolean;
  /** The node's height minus `height`; negative when the node is behind. */
  readonly blocks: number;
  /** Height of the newest indexed block; 0 before the first. */
  readonly height: number;
  /** Identifier of that block; "0" before the first. */
  readonly id: string;
  /** Always true in an answer. */
  readonly success: true;
}

export interface Block {
  /** Identifier of the block: decimal text, or 64 hexadecimal characters. */
  readonly id: string;
  /** Version of the block. */
  readonly version: number;
  /** Seconds since the chain's epoch. */
  readonly timestamp: number;
  /** Identifier of the block before; "0" for the genesis block. */
  readonly previousBlock: string;
  /** Height of the block. */
  readonly height: number;
  /** Number of transactions in the block. */
  readonly numberOfTransactions: number;
  /** Sum of the amounts of its transactions, in arktoshi. */
  readonly totalAmount: bigint;
  /** Sum of the fees of its transactions, in arktoshi. */
  readonly totalFee: bigint;
  /** Reward of the block, in arktoshi. */
  readonly reward: bigint;
  /** Length of the payload in bytes. */
  readonly payloadLength: number;
  /** Hash of the payload in hexadecimal. */
  readonly payloadHash: string;
  /** Public key of the delegate that forged the block. */
  readonly generatorPublicKey: string;
  /** Signature of the block in hexadecimal. */
  readonly blockSignature: string;
  /** Blocks on top of this one; 0 for the newest. */
  readonly confirmations: number;
}

export interface BlocksResponse {
  /** The blocks, newest first. */
  readonly blocks: readonly Block[];
  /** Always true in an answer. */
  readonly success: true;
}

export interface BlockResponse {
  /** The block. */
  readonly block: Block;
  /** Always true in an answer. */
  readonly success: true;
}

export interface FeesResponse {}

export interface EpochResponse {
  /** Second 0 of the chain, ISO 8601 in UTC. */
  readonly epoch: string;
  /** Always true in an answer. */
  readonly success: true;
}

export interface HeightResponse {
  /** Height of the newest block. */
  readonly height: number;
  /** Identifier of the block at that height. */
  readonly id: string;
  /** Always true in an answer. */
  readonly success: true;
}

export interface MilestoneResponse {
  /** The height divided by 3,000,000, rounded down. */
  readonly milestone: number;
  /** Always true in an answer. */
  readonly success: true;
}

export interface NethashResponse {
  /** Hash that identifies the network, in hexadecimal. */
  readonly nethash: string;
  /** Always true in an answer. */
  readonly success: true;
}

export interface RewardResponse {
  /** Reward of a block at the head, in arktoshi. */
  readonly reward: bigint;
  /** Always true in an answer. */
  readonly success: true;
}

export interface StatusResponse {
  /** Second 0 of the chain, ISO 8601 in UTC. */
  readonly epoch: string;
  /** Height of the newest block. */
  readonly height: number;
  /** Fee of a transfer, in arktoshi. */
  readonly fee: bigint;
  /** The height divided by 3,000,000, rounded down. */
  readonly milestone: number;
  /** Hash that identifies the network, in hexadecimal. */
  readonly nethash: string;
  /** Reward of a block at the head, in arktoshi. */
  readonly reward: bigint;
  /** The genesis amount and all rewards up to the head, in arktoshi. */
  readonly supply: bigint;
  /** Always true in an answer. */
  readonly success: true;
}

export interface SupplyResponse {
  /** The genesis amount and all rewards up to the head, in arktoshi. */
  readonly supply: bigint;
  /** Always true in an answer. */
  readonly success: true;
}

export interface Delegate {
  /** Name of the delegate. */
  readonly username: string;
  /** Address of its account. */
  readonly address: string;
  /** Public key in hexadecimal. */
  readonly publicKey: string;
  /** Public key of the delegate that this account itself votes for. */
  readonly vote: string | null;
}

export interface DelegatesResponse {
  /** The delegates. */
  readonly delegates: readonly Delegate[];
  /** Always true in an answer. */
  readonly success: true;
}

export interface Voter {
  /** Name of the account, where it is a delegate. */
  readonly username: string | null;
  /** Address of the account. */
  readonly address: string;
  /** Public key in hexadecimal. */
  readonly publicKey: string;
  /** Spendable balance in arktoshi. */
  readonly balance: bigint;
}

export interface VotersResponse {
  /** The accounts that vote for the delegate. */
  readonly accounts: readonly Voter[];
  /** Always true in an answer. */
  readonly success: true;
}

export interface DelegateFeeResponse {
  /** Fee of a delegate registration, in arktoshi. */
  readonly fee: bigint;
  /** The delegate that registered last. */
  readonly delegate: Delegate;
  /** Always true in an answer. */
  readonly success: true;
}

export interface DelegateCountResponse {
  /** Number of delegates, resigned ones included. */
  readonly count: number;
  /** Always true in an answer. */
  readonly success: true;
}

export interface ForgedResponse {
  /** Fees of the blocks that the delegate forged, in arktoshi. */
  readonly fees: bigint;
  /** Rewards of the blocks that the delegate forged, in arktoshi. */
  readonly rewards: bigint;
  /** Fees and rewards together, in arktoshi. */
  readonly forged: bigint;
  /** Always true in an answer. */
  readonly success: true;
}

export interface FoundDelegate {
  /** Name of the delegate. */
  readonly username: string;
  /** Address of its account. */
  readonly address: string;
  /** Public key in hexadecimal. */
  readonly publicKey: string;
  /** Weight of the votes that the delegate has received, in arktoshi, as numeric text. */
  readonly vote: string;
  /** Blocks that the delegate has forged. */
  readonly producedblocks: number;
  /** Rounds in which the delegate was active and forged none of the blocks. */
  readonly missedblocks: number;
}

export interface DelegateSearchResponse {
  /** Always true in an answer. */
  readonly success: true;
  /** The delegates whose username holds the text. */
  readonly delegates: readonly FoundDelegate[];
}

export interface NextForgersResponse {
  /** Height of the newest block. */
  readonly currentBlock: number;
  /** Slot of the newest block. */
  readonly currentSlot: number;
  /** Public keys of the forgers of the slots that follow, in order. */
  readonly delegates: readonly string[];
  /** Always true in an answer. */
  readonly success: true;
}

export interface StatusNetwork {
  /** Hash that identifies the network, in hexadecimal. */
  readonly nethash: string;
  /** Name of the token. */
  readonly token: string;
  /** Symbol of the token. */
  readonly symbol: string;
  /** Address of the network's explorer. */
  readonly explorer: string;
  /** First byte of the network's addresses. */
  readonly version: number;
  /** Name of the network. */
  readonly name: string;
  /** Second 0 of all timestamps. */
  readonly epoch: string;
  /** Seconds of a slot, at the head. */
  readonly blocktime: number;
  /** Delegates that forge in a round, at the head. */
  readonly activeDelegates: number;
  /** Reward of a block at the head, in arktoshi. */
  readonly reward: bigint;
}

export interface Slot {
  /** Number of the slot. */
  readonly slot: number;
  /** When it begins: seconds since the chain's epoch. */
  readonly timestamp: number;
  /** Public key of the delegate whose slot it is, or that forged in it. */
  readonly publicKey: string;
  /** Name of that delegate; null where the key is none (the genesis block). */
  readonly username: string | null;
  /** Whether a block was forged in it; what is due and late, the clock tells. */
  readonly state: 'forged' | 'missed' | 'due';
  /** Height of its block; null where there is none. */
  readonly height: number | null;
}

export interface CurrentRound {
  /** Number of the round. */
  readonly round: number;
  /** Height of its first block. */
  readonly firstHeight: number;
  /** Height of its last block. */
  readonly lastHeight: number;
  /** Slots that passed without a block so far. */
  readonly missedSlots: number;
  /** Its slots in order: those passed (the newest of them), then those due. */
  readonly slots: readonly Slot[];
}

export interface PastRound {
  /** Number of the round. */
  readonly round: number;
  /** Height of its first block. */
  readonly firstHeight: number;
  /** Height of its last block. */
  readonly lastHeight: number;
  /** Its blocks. */
  readonly blocks: number;
  /** Seconds from the last block of the round before to its own last block. */
  readonly seconds: number;
  /** Slots that passed without a block. */
  readonly missedSlots: number;
}

export interface StatusDelegate {
  /** Place by weight; resigned delegates come last. */
  readonly rank: number;
  /** Name of the delegate. */
  readonly username: string;
  /** Public key in hexadecimal. */
  readonly publicKey: string;
  /** Address of its account. */
  readonly address: string;
  /** Whether it forges in the round of the next block. */
  readonly isActive: boolean;
  /** Whether it has resigned. */
  readonly isResigned: boolean;
  /** Weight of the votes that it has received, in arktoshi. */
  readonly weight: bigint;
  /** Share of the supply that this is, in hundredths of a per cent, rounded down. */
  readonly approval: number;
  /** Blocks that it has forged. */
  readonly producedblocks: number;
  /** Rounds in which it was active and forged none of the blocks. */
  readonly missedblocks: number;
  /** Fees of its blocks, in arktoshi. */
  readonly fees: bigint;
  /** Rewards of its blocks, in arktoshi. */
  readonly rewards: bigint;
  /** Fees and rewards together, in arktoshi. */
  readonly forged: bigint;
}

export interface NewestBlock {
  /** Height of the block. */
  readonly height: number;
  /** Identifier of the block. */
  readonly id: string;
  /** Seconds since the chain's epoch. */
  readonly timestamp: number;
  /** Public key of the delegate that forged it. */
  readonly generatorPublicKey: string;
  /** Name of that delegate; null where the key is none (the genesis block). */
  readonly username: string | null;
  /** Number of its transactions. */
  readonly numberOfTransactions: number;
  /** Sum of their amounts, in arktoshi. */
  readonly totalAmount: bigint;
  /** Sum of their fees, in arktoshi. */
  readonly totalFee: bigint;
  /** Reward of the block, in arktoshi. */
  readonly reward: bigint;
  /** Reward and fees together, in arktoshi. */
  readonly forged: bigint;
}

export interface ChainStatusResponse {
  /** Height of the newest indexed block. */
  readonly height: number;
  /** Identifier of that block. */
  readonly id: string;
  /** Seconds since the chain's epoch. */
  readonly timestamp: number;
  /** Tokens in existence, in arktoshi. */
  readonly supply: bigint;
  /** When that block was indexed. */
  readonly indexedAt: string;
  /** Height of the node as it was last heard of; null while nothing was heard. */
  readonly sourceHeight: number | null;
  /** Newest event of /events at this head; null where there was none yet. */
  readonly lastEventId: string | null;
  /** The network that is served. */
  readonly network: StatusNetwork;
  /** The round of the next block. */
  readonly round: CurrentRound;
  /** The newest rounds that ended, oldest first. */
  readonly rounds: readonly PastRound[];
  /** All delegates, by rank. */
  readonly delegates: readonly StatusDelegate[];
  /** The newest blocks, newest first. */
  readonly blocks: readonly NewestBlock[];
  /** Always true in an answer. */
  readonly success: true;
}

/** An endpoint without parameters. */
export type NoQuery = Readonly<Record<string, never>>;

/** Every endpoint, by its path: the parameters that it takes and what it answers. */
export interface Endpoints {
  /** Fee for registering a second signature */
  readonly '/api/signatures/fee': { readonly query: NoQuery; readonly answer: FeeResponse };
  /** Configuration of the network */
  readonly '/api/loader/autoconfigure': { readonly query: NoQuery; readonly answer: AutoconfigureResponse };
  /** Whether the index has caught up with the node */
  readonly '/api/loader/status': { readonly query: NoQuery; readonly answer: LoaderStatusResponse };
  /** How far the index is from the node */
  readonly '/api/loader/status/sync': { readonly query: NoQuery; readonly answer: SyncStatusResponse };
  /** Blocks, newest first */
  readonly '/api/blocks': {
    readonly query: {
      /** How many resources to pass over. */
      readonly offset?: number | undefined;
      /** How many blocks to answer. */
      readonly limit?: number | undefined;
    };
    readonly answer: BlocksResponse;
  };
  /** One block by its id */
  readonly '/api/blocks/get': {
    readonly query: {
      /** Identifier of the block. */
      readonly id: string;
    };
    readonly answer: BlockResponse;
  };
  /** An empty object */
  readonly '/api/blocks/getFees': { readonly query: NoQuery; readonly answer: FeesResponse };
  /** Fee of a transfer */
  readonly '/api/blocks/getFee': { readonly query: NoQuery; readonly answer: FeeResponse };
  /** Second 0 of the chain */
  readonly '/api/blocks/getEpoch': { readonly query: NoQuery; readonly answer: EpochResponse };
  /** Height and id of the newest block */
  readonly '/api/blocks/getHeight': { readonly query: NoQuery; readonly answer: HeightResponse };
  /** Milestone of the height */
  readonly '/api/blocks/getMilestone': { readonly query: NoQuery; readonly answer: MilestoneResponse };
  /** Hash that identifies the network */
  readonly '/api/blocks/getNethash': { readonly query: NoQuery; readonly answer: NethashResponse };
  /** Reward of a block */
  readonly '/api/blocks/getReward': { readonly query: NoQuery; readonly answer: RewardResponse };
  /** All constants at once */
  readonly '/api/blocks/getStatus': { readonly query: NoQuery; readonly answer: StatusResponse };
  /** Tokens in existence */
  readonly '/api/blocks/getSupply': { readonly query: NoQuery; readonly answer: SupplyResponse };
  /** Delegates, by rank */
  readonly '/api/delegates': {
    readonly query: {
      /** How many resources to pass over. */
      readonly offset?: number | undefined;
      /** How many delegates to answer; by default the network's number of active delegates. */
      readonly limit?: number | undefined;
      /** The column to sort by: one of rank, username, address, publicKey, vote, producedblocks, missedblocks, productivity, forged (also 1, 2, 3, 4, approval, rate, votes), each alone or followed by :asc or :desc. By default rank; without a direction ascending. */
      readonly orderBy?: string | undefined;
    };
    readonly answer: DelegatesResponse;
  };
  /** Accounts that vote for a delegate, largest balance first */
  readonly '/api/delegates/voters': {
    readonly query: {
      /** Public key of the delegate. */
      readonly publicKey: string;
      /** How many resources to pass over. */
      readonly offset?: number | undefined;
      /** How many voters to answer; by default all. */
      readonly limit?: number | undefined;
    };
    readonly answer: VotersResponse;
  };
  /** Delegates by public key or username */
  readonly '/api/delegates/get': {
    readonly query: {
      /** Public key of the delegate. It or `username` is required. */
      readonly publicKey?: string | undefined;
      /** Name of the delegate, matched exactly. It or `publicKey` is required. */
      readonly username?: string | undefined;
    };
    readonly answer: DelegatesResponse;
  };
  /** Fee of a delegate registration, and the delegate that paid it last */
  readonly '/api/delegates/fee': { readonly query: NoQuery; readonly answer: DelegateFeeResponse };
  /** Number of delegates */
  readonly '/api/delegates/count': { readonly query: NoQuery; readonly answer: DelegateCountResponse };
  /** What a delegate has forged */
  readonly '/api/delegates/forging/getForgedByAccount': {
    readonly query: {
      /** Public key of the delegate that forged. */
      readonly generatorPublicKey: string;
    };
    readonly answer: ForgedResponse;
  };
  /** Delegates whose username holds a text */
  readonly '/api/delegates/search': {
    readonly query: {
      /** Text that the username holds, without regard to ASCII case. */
      readonly q: string;
      /** How many resources to pass over. */
      readonly offset?: number | undefined;
      /** How many delegates to answer. */
      readonly limit?: number | undefined;
    };
    readonly answer: DelegateSearchResponse;
  };
  /** Forgers of the slots that follow */
  readonly '/api/delegates/getNextForgers': {
    readonly query: {
      /** How many forgers to answer; by default 10, at most the network's number of active delegates. */
      readonly limit?: number | undefined;
    };
    readonly answer: NextForgersResponse;
  };
  /** Head, network, round with its slots, all delegates and the newest blocks, of one head */
  readonly '/status.json': { readonly query: NoQuery; readonly answer: ChainStatusResponse };
}

/** The fields that hold amounts in arktoshi, in whichever answer. */
export const AMOUNTS: ReadonlySet<string> = new Set([
  'balance',
  'fee',
  'fees',
  'forged',
  'reward',
  'rewards',
  'supply',
  'totalAmount',
  'totalFee',
  'weight',
]);
