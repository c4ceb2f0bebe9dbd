import { jsonObject, jsonRows } from './json-object.js';
import type { NamedQuery } from './named-query.js';

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

const atHead = (rows: string): string => `
SELECT list.json, list.lost
FROM head h CROSS JOIN LATERAL (${jsonRows(BLOCK, rows)}) list
WHERE h.height = $1 AND h.block_id = $2`;

/** $1, $2: the head; $3, $4: lowest and highest height. */
export const SELECT_BLOCKS: NamedQuery = {
  name: 'blocks',
  text: atHead('SELECT * FROM blocks b WHERE b.height BETWEEN $3 AND $4 ORDER BY b.height DESC'),
};

/** $1, $2: the head; $3: the id. */
export const SELECT_BLOCK: NamedQuery = {
  name: 'block',
  text: atHead('SELECT * FROM blocks b WHERE b.id = $3'),
};
