import type { DevnetChain } from '../chain/devnet-chain.js';
import type { ForgingLoop } from '../forging/forging-loop.js';
import type { TransactionPool } from '../forging/transaction-pool.js';

/** What the routes read to answer. */
export interface DevnetContext {
  readonly chain: DevnetChain;
  readonly pool: TransactionPool;
  readonly loop: ForgingLoop;
}
