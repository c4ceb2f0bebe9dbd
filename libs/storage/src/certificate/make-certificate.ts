import { certificateText, type Certificate } from '@roundhouse/chain';
import { blockIdText, hexText, queryRows } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { readChainEnd } from '../status/chain-end.js';
import { inTransaction } from '../writer/in-transaction.js';
import { readHasDetails, readKnowsClaims } from '../writer/load-ledger.js';
import { readUndoReach, type UndoReach } from '../writer/undo-reach.js';
import { leavesAt } from './accounts-at.js';
import { pagesOver, treeOf, type PageTotals, type Tree } from './tree-sql.js';

export interface MadeCertificate {
  readonly height: number;
  /** The bytes of its file. */
  readonly text: string;
  /** False while a fork can undo its block: undoing removes the certificate. */
  readonly isFinal: boolean;
}

/** There can be no certificate of this height, or not now; the message says what helps. */
export class CertificateRefusedError extends Error {
  readonly code = 'CERTIFICATE_REFUSED';

  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'CertificateRefusedError';
  }
}

const SELECT_DOCUMENT = `SELECT document FROM certificates WHERE height = $1`;

const SELECT_HEIGHTS = `SELECT height FROM certificates WHERE height <= $1 ORDER BY height`;

/** The heights up to `last` of which the index has a certificate. */
export const listCertifiedHeights = async (client: ClientBase, last: number): Promise<number[]> =>
  (await queryRows<{ height: number }>(client, SELECT_HEIGHTS, [last])).map(({ height }) => height);

// Undoing the block waits for the certificate, and then removes it. A writer that goes on above it does not wait.
const KEEP_BLOCK = `SELECT FROM blocks WHERE height = $1 FOR KEY SHARE`;

// Before the moment that the transaction sees is fixed: a rebuild waits for this certificate, or the other way round.
const AVOID_REBUILD = `LOCK TABLE certificate_pages IN ROW EXCLUSIVE MODE`;

/** The block at the height $1, and what those above it have. */
const SELECT_BLOCK = `
SELECT ${blockIdText('id')} AS "blockId", above.* FROM blocks, (
  SELECT coalesce(sum(reward), 0)::bigint AS supply FROM blocks WHERE height > $1
) above WHERE height = $1`;

/** Counted: the header of an excepted block may state another number. */
const COUNT_ABOVE = `SELECT count(*)::integer AS transactions FROM transactions WHERE block_height > $1`;

/** Supply and transactions are those at the head. */
const SELECT_FACTS = `
SELECT n.name AS network, n.nethash, h.supply,
  (SELECT coalesce(sum(count), 0)::integer FROM daily_fees) AS transactions,
  (SELECT count(*) FROM delegates WHERE registered_height <= $1)::integer AS delegates,
  (SELECT row_to_json(newest) FROM (
    SELECT round, height, ${hexText('digest')} AS digest FROM round_digests WHERE height <= $1 ORDER BY round DESC LIMIT 1
  ) newest) AS "roundDigest"
FROM head h CROSS JOIN network n`;

const insertPages = (leaves: string): string => `
WITH made AS (
  INSERT INTO certificate_pages (height, page, first_address, root, leaves)
  SELECT $1::integer, page, first_address, root, leaves FROM ${pagesOver(leaves)} AS pages RETURNING page, root, cardinality(leaves) AS count
)
SELECT sum(count)::integer AS accounts, string_agg(root, '' ORDER BY page) AS roots FROM made`;

const INSERT_CERTIFICATE = `INSERT INTO certificates (height, document) VALUES ($1, $2)`;

type Facts = Omit<Certificate, keyof Tree | 'height'>;
type BlockFacts = Pick<Facts, 'blockId' | 'supply'>;

/** Connections that see the blocks and the transactions. */
export interface BlockClients {
  readonly blocks: ClientBase;
  readonly transactions: ClientBase;
}

/** What a certificate says of the chain; null if there is no such block. A restore reads `stored` by other connections. */
export const readFacts = async (
  client: ClientBase,
  height: number,
  stored: BlockClients = { blocks: client, transactions: client },
): Promise<Facts | null> => {
  const [block] = await queryRows<BlockFacts>(stored.blocks, SELECT_BLOCK, [height]);
  const [above] = await queryRows<Pick<Facts, 'transactions'>>(stored.transactions, COUNT_ABOVE, [height]);
  const [facts] = await queryRows<Omit<Facts, 'blockId'>>(client, SELECT_FACTS, [height]);
  if (block === undefined || facts === undefined) return null;
  return {
    ...facts,
    blockId: block.blockId,
    supply: facts.supply - block.supply,
    transactions: facts.transactions - above!.transactions,
  };
};

/** Throws unless the tables can say exactly what the accounts were. */
const assertKnown = async (client: ClientBase, height: number, reach: UndoReach): Promise<void> => {
  const { lowest, hasHistory } = reach;
  if (!(await readHasDetails(client)) || !(await readKnowsClaims(client)))
    throw new CertificateRefusedError(
      'An earlier version began this index, so its digests may differ from those of others: run "indexer rebuild" first.',
    );
  if (height >= lowest || hasHistory) return;
  throw new CertificateRefusedError(
    `Without history, the index knows its accounts from height ${lowest} on, not at ${height}: give such a height, or run ` +
      `"indexer rebuild" with HISTORY=full, and the indexers, too.`,
  );
};

const make = async (client: ClientBase, wanted: number | undefined): Promise<MadeCertificate> => {
  await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await client.query(AVOID_REBUILD);
  const reach = await readUndoReach(client);
  if (reach === null) throw new CertificateRefusedError('The index is empty: index a chain first.');
  const { head, lowest } = reach;
  const height = wanted ?? head.height;
  if (height > head.height)
    throw new CertificateRefusedError(
      `The index is at height ${head.height}: there is no block ${height} in it.`,
    );
  const isFinal = height <= lowest || (await readChainEnd(client))?.provenAt != null;
  const [stored] = await queryRows<{ document: string }>(client, SELECT_DOCUMENT, [height]);
  if (stored) return { height, text: stored.document, isFinal };
  await assertKnown(client, height, reach);
  await client.query(KEEP_BLOCK, [height]);
  const { select, values } = await leavesAt(client, height);
  const [pages] = await queryRows<PageTotals & object>(client, insertPages(select), values);
  const facts = await readFacts(client, height);
  const text = certificateText({ ...facts!, ...treeOf(pages!), height });
  await client.query(INSERT_CERTIFICATE, [height, text]);
  return { height, text, isFinal };
};

const HAPPENED_MEANWHILE: readonly unknown[] = ['40001', '23505'];

/** Others may make the same certificate, or undo its block, at most so often in a row. */
const MOST_TRIES = 5;

/**
 * Makes the certificate of a height, the head's by default, and stores it with the leaves of its tree; or returns the one
 * that was made before. Begins and commits a transaction, beside which a writer may go on. Its bytes are the same in every
 * index of the chain. Throws `CertificateRefusedError`.
 */
export const makeCertificate = async (client: ClientBase, height?: number): Promise<MadeCertificate> => {
  for (let triesLeft = MOST_TRIES - 1; ; triesLeft -= 1) {
    try {
      return await inTransaction(client, () => make(client, height));
    } catch (error) {
      if (!HAPPENED_MEANWHILE.includes((error as { code?: unknown }).code)) throw error;
      if (triesLeft > 0) continue;
      throw new CertificateRefusedError('Forks undo the block again and again: try again later.', {
        cause: error,
      });
    }
  }
};
