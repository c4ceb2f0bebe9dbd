import { postedBlock } from '@roundhouse/blocks';
import { attributesOf, membersOf, NO_BLOCK_ID, type BlockHeader } from '@roundhouse/chain';
import { hexText, LAST_BLOCK, queryRows, SELECT_BLOCKS } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';

/** The forgers of the round that begins above the head, by rank, with their accounts. */
const SELECT_FORGERS = `
SELECT r.round, listed.weight, d.username, d.address, d.forged_fees AS "forgedFees", d.forged_rewards AS "forgedRewards",
  d.produced_blocks AS "producedBlocks", ${hexText('d.public_key')} AS "publicKey", a.balance, a.nonce,
  ${hexText('a.vote')} AS vote, ${hexText('a.second_public_key')} AS "secondPublicKey",
  ${hexText('a.multi_signature')} AS "multiSignature", a.attributes,
  last.height AS "lastHeight"
FROM head JOIN rounds r ON r.first_height = head.height + 1
  CROSS JOIN LATERAL unnest(r.forging_order, r.weights) AS listed (number, weight)
  JOIN delegates d ON d.number = listed.number JOIN accounts a ON a.address = d.address
  ${LAST_BLOCK}
ORDER BY listed.weight DESC, d.public_key`;

const SELECT_HEADERS = `${SELECT_BLOCKS} WHERE height = ANY ($1)`;

interface Forger {
  readonly round: number;
  readonly weight: bigint | null;
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

const readLastBlocks = async (client: ClientBase, forgers: readonly Forger[]): Promise<LastBlock> => {
  const heights = forgers.flatMap(({ lastHeight: height }) => (height === null ? [] : [height - 1, height]));
  const rows = await queryRows<BlockHeader>(client, SELECT_HEADERS, [heights]);
  const byHeight = new Map(rows.map((row) => [row.height, row]));
  return (height) => {
    const previousBlock = byHeight.get(height - 1)?.id ?? NO_BLOCK_ID;
    return postedBlock({ ...byHeight.get(height)!, previousBlock, transactions: [] });
  };
};

/** A wallet as JSON.stringify shows a node's object. */
const walletOf = (forger: Forger, rank: number, lastBlock: LastBlock): object => {
  const { username, round, producedBlocks, lastHeight, vote, secondPublicKey, multiSignature } = forger;
  const delegate = {
    username,
    voteBalance: String(forger.weight),
    forgedFees: String(forger.forgedFees),
    forgedRewards: String(forger.forgedRewards),
    ...{ producedBlocks, rank, round },
    ...(lastHeight === null ? {} : { lastBlock: lastBlock(lastHeight) }),
  };
  const attributes = {
    delegate,
    ...(vote === null ? {} : { vote }),
    ...(secondPublicKey === null ? {} : { secondPublicKey }),
    ...(multiSignature === null ? {} : { multiSignature: membersOf(multiSignature) }),
    ...attributesOf(forger.attributes),
  };
  return {
    address: forger.address,
    attributes: { knownAttributes: { attributes: {} }, attributes },
    events: { listeners: {} },
    balance: String(forger.balance),
    nonce: String(forger.nonce),
    publicKey: forger.publicKey,
  };
};

/** What a node tells of the round that begins above the head, in JSON: its forgers' wallets. Without their open locks. */
export const readRoundWallets = async (client: ClientBase): Promise<string> => {
  const forgers = await queryRows<Forger>(client, SELECT_FORGERS);
  const lastBlock = await readLastBlocks(client, forgers);
  return JSON.stringify(forgers.map((forger, place) => walletOf(forger, place + 1, lastBlock)));
};
