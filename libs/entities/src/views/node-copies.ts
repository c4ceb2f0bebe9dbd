import { NODE_ASSET } from '../sql/node-transaction.js';
import { blockIdText, hexText } from '../sql/table-sql.js';
import { NODE_ROUNDS, nodeBlocks, nodeTransactions } from './node-rows.js';
import { serialisedOf, SERIALISERS } from './serialised.js';

/** In the session's own schema, so that no views have to be there. Only functions are named with the schema of the index. */
const ofSession = (sql: string): string => sql.replaceAll('roundhouse.', 'pg_temp.');

const KEY = `${hexText('k.value')}::varchar(66)`;

const PREVIOUS = `coalesce((SELECT ${blockIdText('p.id')} FROM blocks p WHERE p.height = b.height - 1), '0')::varchar(64)`;

export const NODE_BLOCKS = nodeBlocks(KEY, PREVIOUS, 'JOIN public_keys k ON k.number = b.generator');

/** Nonces are counted once for all: `NODE_NONCE` counts again for each row. */
const JOINS = `JOIN public_keys k ON k.number = t.sender LEFT JOIN addresses a ON a.number = t.recipient JOIN (
  SELECT block_height, sequence, row_number() OVER (PARTITION BY sender ORDER BY block_height, sequence) AS nonce FROM transactions
) sent ON sent.block_height = t.block_height AND sent.sequence = t.sequence`;

const TRANSACTIONS = nodeTransactions({
  timestamp: 'b."timestamp"',
  sender: KEY,
  recipient: 'a.value::varchar(36)',
  nonce: 'coalesce(t.nonce, sent.nonce)',
  serialised: ofSession(serialisedOf('k.value', 'a.value')),
  asset: NODE_ASSET,
  join: JOINS,
});

/** Makes the functions that `NODE_COPIES` need, for this session. */
export const NODE_COPY_FUNCTIONS = ofSession(SERIALISERS);

/** The tables that a node starts from, and SQL of all their rows, in the order of their columns. */
export const NODE_COPIES = {
  blocks: `SELECT * FROM (${NODE_BLOCKS}) AS listed ORDER BY height`,
  transactions: `${TRANSACTIONS} ORDER BY t.block_height, t.sequence`,
  rounds: `SELECT * FROM (${NODE_ROUNDS}) AS listed ORDER BY round, balance DESC, public_key`,
} as const;
