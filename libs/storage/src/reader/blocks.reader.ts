import type { BlockHeader, BlockRef } from '@roundhouse/chain';
import { SELECT_BLOCK, SELECT_BLOCKS } from './queries/block.queries.js';
import type { ReaderPool } from './reader-pool.js';
import { foundAtHead } from './rows-at-head.js';

interface BlockRow {
  readonly height: number;
  readonly id: string;
  readonly version: number;
  readonly timestamp: number;
  readonly previous_block: string;
  readonly number_of_transactions: number;
  readonly total_amount: string;
  readonly total_fee: string;
  readonly reward: string;
  readonly payload_length: number;
  readonly payload_hash: string;
  readonly generator_public_key: string;
  readonly block_signature: string;
}

const headerOf = (row: BlockRow): BlockHeader => ({
  height: row.height,
  id: row.id,
  version: row.version,
  timestamp: row.timestamp,
  previousBlock: row.previous_block,
  numberOfTransactions: row.number_of_transactions,
  totalAmount: BigInt(row.total_amount),
  totalFee: BigInt(row.total_fee),
  reward: BigInt(row.reward),
  payloadLength: row.payload_length,
  payloadHash: row.payload_hash,
  generatorPublicKey: row.generator_public_key,
  blockSignature: row.block_signature,
});

export class BlocksReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The blocks of the heights from `lowest` to `highest`, newest first. Throws `HeadPassedError`. */
  async listBlocks(at: BlockRef, lowest: number, highest: number): Promise<BlockHeader[]> {
    const rows = await foundAtHead<BlockRow>(this.pool, at, SELECT_BLOCKS, [lowest, highest], 'height');
    return rows.map(headerOf);
  }

  /** Throws `HeadPassedError`. */
  async findBlock(at: BlockRef, id: string): Promise<BlockHeader | null> {
    const [row] = await foundAtHead<BlockRow>(this.pool, at, SELECT_BLOCK, [id], 'height');
    return row ? headerOf(row) : null;
  }
}
