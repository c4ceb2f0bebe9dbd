import { postedBlock } from '@roundhouse/blocks';
import { attributesOf, membersOf, NO_BLOCK_ID, type BlockHeader } from '@roundhouse/chain';
import {
  FORGING_ROUNDS,
  hexText,
  imagesAbove,
  lastBlockIf,
  queryRows,
  SELECT_BLOCKS,
  valueAfter,
} from '@roundhouse/entities/sql';
import { bytesOf } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';

const ofAccount = (column: string): string => valueAfter('a', 'account_was', column);
const ofDelegate = (column: string): string => valueAfter('d', 'delegate_was', column);

/**
 * The wallets of the round that begins with the block $1, by rank, as they are after the block $3: those of its forgers,
 * and of the delegates with the public keys $2, which were forgers of the round before.
 */
const SELECT_WALLETS = `
SELECT listed.place IS NOT NULL AS "isForger", r.round - (listed.place IS NULL)::integer AS round,
  coalesce(listed.weight, ${ofDelegate('weight')}) AS weight, ${ofDelegate('is_resigned')} AS "isResigned",
  CASE WHEN listed.place IS NULL THEN ranked.rank
    ELSE row_number() OVER (ORDER BY listed.weight DESC NULLS LAST, d.public_key) END::integer AS rank,
  d.username, d.address, ${ofDelegate('forged_fees')} AS "forgedFees", ${ofDelegate('forged_rewards')} AS "forgedRewards",
  ${ofDelegate('produced_blocks')} AS "producedBlocks", ${hexText('d.public_key')} AS "publicKey",
  ${ofAccount('balance')} AS balance, ${ofAccount('nonce')} AS nonce, ${hexText(ofAccount('vote'))} AS vote,
  ${hexText(ofAccount('second_public_key'))} AS "secondPublicKey",
  ${hexText(ofAccount('multi_signature'))} AS "multiSignature", ${ofAccount('attributes')} AS attributes,
  last.height AS "lastHeight"
FROM ${FORGING_ROUNDS} r CROSS JOIN delegates d JOIN accounts a ON a.address = d.address
  LEFT JOIN LATERAL unnest(r.forging_order, r.weights) WITH ORDINALITY AS listed (number, weight, place)
    ON listed.number = d.number
  LEFT JOIN (
    SELECT listed.number, listed.rank
    FROM (SELECT delegates FROM rankings WHERE height <= $3 ORDER BY height DESC LIMIT 1) newest,
      unnest(newest.delegates) WITH ORDINALITY AS listed (number, rank)
  ) ranked ON ranked.number = d.number
  LEFT JOIN ${imagesAbove('undo_accounts', 'address', '$3')} account_was ON account_was.address = d.address
  LEFT JOIN ${imagesAbove('undo_delegates', 'public_key', '$3')} delegate_was ON delegate_was.public_key = d.public_key
  ${lastBlockIf('b.height <= $3')}
WHERE r.first_height = $1 AND (listed.place IS NOT NULL OR d.public_key = ANY ($2))
ORDER BY rank`;

const SELECT_HEADERS = `${SELECT_BLOCKS} WHERE height = ANY ($1)`;

interface DelegateRow {
  readonly isForger: boolean;
  readonly round: number;
  readonly isResigned: boolean;
  /** Null if it has resigned. */
  readonly rank: number | null;
  readonly weight: bigint;
  readonly username: string;
  readonly address: string;
  readonly forgedFees: bigint;
  readonly forgedRewards: bigint;
  readonly producedBlocks: number;
  readonly publicKey: string;
  readonly balance: bigint;
  readonly nonce: number;
  readonly vote: string | null;
  readonly secondPublicKey: string | null;
  readonly multiSignature: string | null;
  readonly attributes: string | null;
  readonly lastHeight: number | null;
}

type LastBlock = (height: number) => object;

const readLastBlocks = async (client: ClientBase, delegates: readonly DelegateRow[]): Promise<LastBlock> => {
  const heights = delegates.flatMap(({ lastHeight: height }) =>
    height === null ? [] : [height - 1, height],
  );
  const rows = await queryRows<BlockHeader>(client, SELECT_HEADERS, [heights]);
  const byHeight = new Map(rows.map((row) => [row.height, row]));
  return (height) => {
    const previousBlock = byHeight.get(height - 1)?.id ?? NO_BLOCK_ID;
    return postedBlock({ ...byHeight.get(height)!, previousBlock, transactions: [] });
  };
};

/** A wallet as JSON.stringify shows a node's object, without its open locks. A copy has no `events`. */
type Wallet = Readonly<Record<'address' | 'balance' | 'nonce' | 'publicKey', string>> & {
  readonly attributes: object;
  readonly events: object;
};

const walletOf = (row: DelegateRow, lastBlock: LastBlock): Wallet => {
  const { username, round, rank, producedBlocks, lastHeight, vote, secondPublicKey, multiSignature } = row;
  const delegate = {
    username,
    voteBalance: String(row.weight),
    forgedFees: String(row.forgedFees),
    forgedRewards: String(row.forgedRewards),
    producedBlocks,
    ...(row.isResigned ? { resigned: true } : { rank }),
    round,
    ...(lastHeight === null ? {} : { lastBlock: lastBlock(lastHeight) }),
  };
  const attributes = {
    delegate,
    ...(vote === null ? {} : { vote }),
    ...(secondPublicKey === null ? {} : { secondPublicKey }),
    ...(multiSignature === null ? {} : { multiSignature: membersOf(multiSignature) }),
    ...attributesOf(row.attributes),
  };
  return {
    address: row.address,
    attributes: { knownAttributes: { attributes: {} }, attributes },
    events: { listeners: {} },
    balance: String(row.balance),
    nonce: String(row.nonce),
    publicKey: row.publicKey,
  };
};

export interface RoundWallets {
  /** By rank. */
  readonly forgers: readonly Wallet[];
  /** By public key. */
  readonly all: ReadonlyMap<string, Wallet>;
}

/**
 * Reads the wallets of the round that begins at `firstHeight`, as they were when it began, and those of the delegates with
 * these public keys. If undoing cannot go back to the block below, they are as of the lowest one that it reaches.
 */
export const readRoundWallets = async (
  client: ClientBase,
  firstHeight: number,
  publicKeys: readonly string[],
): Promise<RoundWallets> => {
  const keys = publicKeys.map((key) => bytesOf('hex', key));
  // Round 1 is fixed by the genesis block, which is in it.
  const rows = await queryRows<DelegateRow>(client, SELECT_WALLETS, [
    firstHeight,
    keys,
    Math.max(firstHeight - 1, 1),
  ]);
  const lastBlock = await readLastBlocks(client, rows);
  const all = new Map(rows.map((row) => [row.publicKey, walletOf(row, lastBlock)]));
  return {
    forgers: rows.filter(({ isForger }) => isForger).map(({ publicKey }) => all.get(publicKey)!),
    all,
  };
};
