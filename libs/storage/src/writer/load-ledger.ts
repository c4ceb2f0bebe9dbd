import { heightsForSlots, Ledger, type Delegate, type Network, type StateSums } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import {
  SELECT_DELEGATES,
  SELECT_FORGERS_SINCE,
  SELECT_HEAD,
  SELECT_ORPHAN_WEIGHTS,
  SELECT_ROUND_OF_HEIGHT,
  SELECT_STATE_SUMS,
  SELECT_TIMESTAMPS,
} from './queries.js';

interface HeadRow {
  height: number;
  block_id: string;
  timestamp: number;
  supply: string;
}

interface DelegateRow {
  public_key: string;
  address: string;
  username: string;
  weight: string;
  is_resigned: boolean;
  produced_blocks: number;
  missed_blocks: number;
  forged_fees: string;
  forged_rewards: string;
  registered_height: number;
  registered_sequence: number;
}

const delegateOf = (row: DelegateRow): Delegate => ({
  publicKey: row.public_key,
  address: row.address,
  username: row.username,
  weight: BigInt(row.weight),
  isResigned: row.is_resigned,
  producedBlocks: row.produced_blocks,
  missedBlocks: row.missed_blocks,
  forgedFees: BigInt(row.forged_fees),
  forgedRewards: BigInt(row.forged_rewards),
  registeredHeight: row.registered_height,
  registeredSequence: row.registered_sequence,
});

/** The ledger at the head of the tables: all delegates and the round in hand; accounts come batch by batch. */
export const loadLedger = async (client: ClientBase, network: Network): Promise<Ledger> => {
  const head = (await client.query<HeadRow>(SELECT_HEAD)).rows[0];
  if (head === undefined) return Ledger.empty(network);
  const ledger = new Ledger(network, false);
  ledger.head = {
    height: head.height,
    id: head.block_id,
    timestamp: head.timestamp,
    supply: BigInt(head.supply),
  };
  const [sums] = (await client.query<StateSums>(SELECT_STATE_SUMS, [head.height, head.block_id])).rows;
  if (sums) ledger.loadSums(sums);
  for (const row of (await client.query<DelegateRow>(SELECT_DELEGATES)).rows)
    ledger.loadDelegate(delegateOf(row));
  const round = (
    await client.query<{ round: number; first_height: number; forging_order: string[] }>(
      SELECT_ROUND_OF_HEIGHT,
      [head.height + 1],
    )
  ).rows[0];
  if (round) {
    ledger.round = { round: round.round, firstHeight: round.first_height, forgingOrder: round.forging_order };
    const forgers = await client.query<{ generator_public_key: string }>(SELECT_FORGERS_SINCE, [
      round.first_height,
    ]);
    for (const row of forgers.rows) ledger.forgers.add(row.generator_public_key);
  }
  const orphans = await client.query<{ vote: string; weight: string }>(SELECT_ORPHAN_WEIGHTS);
  for (const row of orphans.rows) ledger.orphanWeights.set(row.vote, BigInt(row.weight));
  // Those above the head are not there yet; those below it count once the block time changes, however far above that is.
  const slotHeights = heightsForSlots(ledger.milestones, Number.MAX_SAFE_INTEGER);
  if (slotHeights.length > 0) {
    const known = await client.query<{ height: number; timestamp: number }>(SELECT_TIMESTAMPS, [slotHeights]);
    for (const { height, timestamp } of known.rows) ledger.timestamps.set(height, timestamp);
  }
  return ledger;
};
