import type { ReadyJson } from '../answers/write-answer.js';

// What a Core 2.4.15 node answered under version 1. Amounts are in arktoshi; a `bigint` is written as a number, and text
// that holds an amount is declared as text. An optional field is absent if the node does not have it. `ReadyJson` is
// written by PostgreSQL: its fields are in the reader that is named.

export interface NodeFee {
  readonly fee: bigint;
  readonly success: true;
}

export interface NodeFees {
  readonly fees: {
    readonly send: bigint;
    readonly vote?: bigint;
    readonly secondsignature: bigint;
    readonly delegate: bigint;
    readonly multisignature?: bigint;
  };
  readonly success: true;
}

export interface NodeLoaderStatus {
  readonly loaded: boolean;
  readonly now: number;
  readonly blocksCount: number;
  readonly success: true;
}

export interface NodeSyncStatus {
  readonly syncing: boolean;
  readonly blocks: number;
  readonly height: number;
  readonly id: string;
  readonly success: true;
}

/** By the names of the node's plugins. */
export interface NodePorts {
  readonly '@arkecosystem/core-p2p'?: null;
  readonly '@arkecosystem/core-api': number;
}

export interface NodeAutoconfigure {
  readonly network: {
    readonly nethash: string;
    readonly token: string;
    readonly symbol: string;
    readonly explorer: string;
    readonly version: number;
    readonly ports: NodePorts;
  };
  readonly success: true;
}

/** `block` as in `NodeBlocksReader`. */
export interface NodeBlock {
  readonly block: ReadyJson;
  readonly success: true;
}

export interface NodeStatus {
  readonly epoch: string;
  readonly height: number;
  readonly fee: bigint;
  readonly milestone: number;
  readonly nethash: string;
  readonly reward: bigint;
  readonly supply: bigint;
  readonly success: true;
}

/** `delegates` as in `NodeDelegatesReader`. */
export interface NodeDelegates {
  readonly delegates: ReadyJson;
  readonly totalCount: number;
  readonly success: true;
}

export interface NodeFoundDelegates {
  readonly delegates: ReadyJson;
  readonly success: true;
}

export interface NodeDelegate {
  readonly delegate: ReadyJson;
  readonly success: true;
}

/** `accounts` as in `NodeDelegatesReader`. */
export interface NodeVoters {
  readonly accounts: ReadyJson;
  readonly success: true;
}

export interface NodeForged {
  readonly fees: bigint;
  readonly rewards: bigint;
  readonly forged: bigint;
  readonly success: true;
}

export interface NodeNextForgers {
  readonly currentBlock: number;
  readonly currentSlot: number;
  /** Public keys. */
  readonly delegates: readonly string[];
  readonly success: true;
}

export interface NodePeer {
  readonly ip: string;
  readonly port: number;
  readonly ports: NodePorts;
  readonly version: string;
  readonly height: number;
  /** Of older nodes: see decision 0026. */
  readonly status: 'OK';
  /** Milliseconds. */
  readonly delay: number;
}

export interface NodePeers {
  readonly peers: readonly NodePeer[];
  readonly success: true;
}

export interface NodePeerFound {
  readonly peer: NodePeer;
  readonly success: true;
}

export interface NodeCount {
  readonly count: number;
  readonly success: true;
}

/** `blocks` as in `NodeBlockListReader`. */
export interface NodeBlocks {
  readonly blocks: ReadyJson;
  readonly count: number;
  readonly success: true;
}

export interface ShownTransaction {
  readonly id: string;
  readonly blockid: string;
  readonly type: number;
  /** The block's, not the sender's. */
  readonly timestamp: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly recipientId: string | undefined;
  readonly senderId: string;
  readonly senderPublicKey: string;
  readonly vendorField: string | undefined;
  readonly signature: string | undefined;
  /** The second signature. */
  readonly signSignature: string | undefined;
  readonly signatures: readonly string[] | undefined;
  /** An empty object if the transaction has none. */
  readonly asset: ReadyJson;
  readonly confirmations: number;
}

export interface NodeTransaction {
  readonly transaction: ShownTransaction;
  readonly success: true;
}

export interface NodeTransactions {
  readonly transactions: readonly ShownTransaction[];
  readonly count: number;
  readonly success: true;
}

export interface NodeUnconfirmed {
  readonly transactions: readonly [];
  readonly success: true;
}

/** `account` as in `NodeAccountsReader`. It has neither a vote nor a rank. */
export interface NodeAccount {
  readonly account: ReadyJson;
  readonly success: true;
}

/** `accounts` as in `NodeAccountsReader`. */
export interface NodeAccounts {
  readonly accounts: ReadyJson;
  readonly success: true;
}

/** Both are the balance: unconfirmed transactions do not count. */
export interface NodeBalance {
  readonly balance: string;
  readonly unconfirmedBalance: string;
  readonly success: true;
}

export interface NodePublicKey {
  readonly publicKey: string | undefined;
  readonly success: true;
}
