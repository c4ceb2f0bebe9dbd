import type { BlockRef, DelegateFigures } from '@roundhouse/chain';
import type { ClientBase } from 'pg';

export interface DelegatesAtHead {
  /** Null before the genesis block. */
  readonly head: BlockRef | null;
  readonly delegates: readonly DelegateFigures[];
}

export interface VotersAtHead {
  readonly head: BlockRef | null;
  readonly voters: readonly { readonly address: string; readonly balance: bigint }[];
}

interface HeadColumns {
  readonly head_height: number;
  readonly head_id: string;
}

interface DelegateRow extends HeadColumns {
  readonly public_key: string | null;
  readonly username: string;
  readonly weight: string;
  readonly produced_blocks: number;
  readonly forged_fees: string;
  readonly forged_rewards: string;
}

interface VoterRow extends HeadColumns {
  readonly address: string | null;
  readonly balance: string;
}

// One statement is one snapshot: the rows belong to the head beside them.
const SELECT_DELEGATES_AT_HEAD = `
SELECT head.height AS head_height, head.block_id AS head_id, public_key, username, weight, produced_blocks, forged_fees,
  forged_rewards
FROM head LEFT JOIN delegates ON true ORDER BY public_key`;

const SELECT_VOTERS_AT_HEAD = `
SELECT head.height AS head_height, head.block_id AS head_id, address, balance
FROM head LEFT JOIN accounts ON vote = $1 ORDER BY address`;

const headOf = (row: HeadColumns | undefined): BlockRef | null =>
  row ? { height: row.head_height, id: row.head_id } : null;

export const readDelegatesAtHead = async (client: ClientBase): Promise<DelegatesAtHead> => {
  const { rows } = await client.query<DelegateRow>(SELECT_DELEGATES_AT_HEAD);
  const delegates = rows.flatMap((row) =>
    row.public_key === null
      ? []
      : [
          {
            username: row.username,
            publicKey: row.public_key,
            weight: BigInt(row.weight),
            producedBlocks: row.produced_blocks,
            forgedFees: BigInt(row.forged_fees),
            forgedRewards: BigInt(row.forged_rewards),
          },
        ],
  );
  return { head: headOf(rows[0]), delegates };
};

export const readVotersAtHead = async (client: ClientBase, publicKey: string): Promise<VotersAtHead> => {
  const { rows } = await client.query<VoterRow>(SELECT_VOTERS_AT_HEAD, [publicKey]);
  const voters = rows.flatMap(({ address, balance }) =>
    address === null ? [] : [{ address, balance: BigInt(balance) }],
  );
  return { head: headOf(rows[0]), voters };
};
