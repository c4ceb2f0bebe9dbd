import type { BlockRef } from '@roundhouse/chain';
import { jsonAtHead, listAtHead } from './at-head.js';
import { jsonObject } from './json-object.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';

const BLOCK = jsonObject({
  id: { value: 'r.id', form: 'plain' },
  version: { value: 'r.version', form: 'integer' },
  timestamp: { value: 'r."timestamp"', form: 'integer' },
  previousBlock: { value: 'r.previous_block', form: 'plain' },
  height: { value: 'r.height', form: 'integer' },
  numberOfTransactions: { value: 'r.number_of_transactions', form: 'integer' },
  totalAmount: { value: 'r.total_amount', form: 'integer' },
  totalFee: { value: 'r.total_fee', form: 'integer' },
  reward: { value: 'r.reward', form: 'integer' },
  payloadLength: { value: 'r.payload_length', form: 'integer' },
  payloadHash: { value: 'r.payload_hash', form: 'plain' },
  generatorPublicKey: { value: 'r.generator_public_key', form: 'plain' },
  blockSignature: { value: 'r.block_signature', form: 'plain' },
  confirmations: { value: '$1 - r.height', form: 'integer' },
});

/** $1, $2: the head; $3, $4: lowest and highest height. */
const SELECT_BLOCKS: NamedQuery = {
  name: 'blocks',
  text: listAtHead(BLOCK, 'SELECT * FROM blocks b WHERE b.height BETWEEN $3 AND $4 ORDER BY b.height DESC'),
};

/** $1, $2: the head; $3: the id. */
const SELECT_BLOCK: NamedQuery = {
  name: 'block',
  text: listAtHead(BLOCK, 'SELECT * FROM blocks b WHERE b.id = $3'),
};

/** Blocks as JSON, as `DelegatesReader` returns delegates. Every method throws `HeadPassedError`. */
export class BlocksReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The blocks of the heights from `lowest` to `highest`, newest first. */
  listBlocks(at: BlockRef, lowest: number, highest: number): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_BLOCKS, [lowest, highest]);
  }

  /** Empty if there is no such block. */
  findBlock(at: BlockRef, id: string): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_BLOCK, [id]);
  }
}
