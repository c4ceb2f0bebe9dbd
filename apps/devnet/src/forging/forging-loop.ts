import type { DevnetChain } from '../chain/devnet-chain.js';
import type { RawBlock } from '../chain/raw-block.js';
import type { TransactionPool } from './transaction-pool.js';

/** Forges at the start of every slot until it is stopped. */
export class ForgingLoop {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly chain: DevnetChain,
    private readonly pool: TransactionPool,
    private readonly onBlock: (block: RawBlock) => void,
  ) {}

  get isRunning(): boolean {
    return this.timer !== null;
  }

  start(): void {
    this.timer ??= this.schedule();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = this.schedule();
      const block = this.chain.forgeCurrentSlot((draft) => this.pool.admit(draft));
      if (block) this.onBlock(block);
    }, this.chain.untilNextSlotMs);
  }
}
