import { afterEach, describe, expect, it } from '@jest/globals';
import { AddressBook, type Transaction } from '@roundhouse/chain';
import { queryRows } from '@roundhouse/entities/sql';
import { findViolations, randomChain, snapshotTables } from '@roundhouse/testing';
import { advanceCheckpoint } from '../checkpoint/advance-checkpoint.js';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { verifyIndex, type IndexReport } from '../verify/verify-index.js';
import { undoTo } from '../writer/undo-to.js';
import { rebuildIndex, type RebuildOptions, type RebuildReport } from './rebuild-index.js';

const BLOCKS = 160;
/** The newest end of a round that can never be undone. */
const CHECKPOINT = 124;
const UNDO_DEPTH = BLOCKS - CHECKPOINT;
const { network, blocks } = randomChain({ seed: 79, blocks: BLOCKS });

const open: IndexedChain[] = [];

const indexOf = async (keepsDetails: boolean): Promise<IndexedChain> => {
  const index = await IndexedChain.create(network, blocks, UNDO_DEPTH, false, keepsDetails);
  open.push(index);
  return index;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((index) => index.close()));
});

const verified = (index: IndexedChain): Promise<IndexReport> =>
  index.apart((client) => verifyIndex(client, { listed: 3 }));

const rebuilt = (index: IndexedChain, options: Partial<RebuildOptions> = {}): Promise<RebuildReport> =>
  index.apart((client) => rebuildIndex(client, { undoDepth: UNDO_DEPTH, ...options }));

const prove = (index: IndexedChain) =>
  index.apart((client) => advanceCheckpoint(client, { stepBlocks: 20, accountCapacity: 3, listed: 3 }));

const hasDetails = async ({ client }: IndexedChain): Promise<boolean> =>
  (await client.query<{ has_details: boolean }>('SELECT has_details FROM head')).rows[0]!.has_details;

const SOUND = { badBlocks: [], isBroken: false, tables: [] };
const PROVEN = { height: CHECKPOINT, problem: null };

const DAMAGES: readonly [string, string][] = [
  ['accounts', `UPDATE accounts SET attributes = NULL WHERE attributes IS NOT NULL`],
  ['accounts', `UPDATE accounts SET attributes = '{}' WHERE attributes IS NULL AND number = 5`],
  [
    'accounts',
    `UPDATE accounts SET attributes = replace(attributes, 'true', 'false') WHERE attributes LIKE '%ipfs%'`,
  ],
  [
    'undo_accounts',
    `UPDATE undo_accounts SET attributes = '{}' WHERE height = (SELECT max(height) FROM undo_accounts)`,
  ],
  ['rounds', 'UPDATE rounds SET weights[2] = weights[2] + 1 WHERE round = 3'],
  ['rounds', 'UPDATE rounds SET weights = NULL WHERE round = (SELECT max(round) FROM rounds)'],
  ['daily_fees', 'UPDATE daily_fees SET max_fee = max_fee + 1 WHERE type = 3'],
  ['daily_fees', 'UPDATE daily_fees SET first_height = first_height + 1 WHERE type = 0'],
  ['daily_fees', 'DELETE FROM daily_fees WHERE type = 0'],
  [
    'daily_fees',
    'INSERT INTO daily_fees SELECT min_fee, max_fee, sum_fee, 9, type_group, type, 3, count FROM daily_fees',
  ],
  ['daily_statistics', 'UPDATE daily_statistics SET active_addresses = active_addresses - 1'],
  ['daily_statistics', 'DELETE FROM daily_statistics WHERE day = (SELECT min(day) FROM daily_statistics)'],
  ['undo_daily_statistics', `UPDATE undo_daily_statistics SET volume = 0 WHERE height = ${BLOCKS}`],
];

describe('an index with attributes, weights and figures of days', () => {
  it.each(DAMAGES)(
    'is not sound if one is wrong, and a rebuild corrects it: %s, %s',
    async (table, statement) => {
      const index = await indexOf(true);
      const before = await snapshotTables(index.client);
      expect((await index.client.query(statement)).rowCount).not.toBe(0);
      expect((await verified(index)).tables).toMatchObject([{ table }]);
      expect(await rebuilt(index)).toMatchObject({ replaced: [{ table }] });
      expect(await snapshotTables(index.client)).toEqual(before);
    },
  );

  it('is not sound from a checkpoint if the figures of a day are wrong', async () => {
    const index = await indexOf(true);
    expect(await prove(index)).toMatchObject(PROVEN);
    expect(await verified(index)).toMatchObject({ from: CHECKPOINT, ...SOUND });
    await index.client.query('DELETE FROM daily_fees WHERE type = 0');
    expect(await verified(index)).toMatchObject({ from: CHECKPOINT, tables: [{ table: 'daily_fees' }] });
    expect(await rebuilt(index)).toMatchObject({ from: CHECKPOINT, replaced: [{ table: 'daily_fees' }] });
    await index.client.query('UPDATE daily_statistics SET volume = volume + 1 WHERE first_height = 1');
    expect(await verified(index)).toMatchObject({
      from: CHECKPOINT,
      tables: [{ table: 'daily_statistics' }],
    });
    await expect(rebuilt(index)).rejects.toThrow(/rows of daily_statistics are not those of its copies/);
    await index.client.query('UPDATE daily_statistics SET volume = volume - 1 WHERE first_height = 1');
    expect(await verified(index)).toMatchObject({ from: CHECKPOINT, ...SOUND });
  });
});

describe('a day whose volume is more than a bigint holds', () => {
  it('is written, read again and undone', async () => {
    const addresses = new AddressBook(network.pubKeyHash);
    const sentToOneself = (transaction: Transaction): Transaction => ({
      ...transaction,
      recipientId: addresses.addressOf(transaction.senderPublicKey),
      amount: 2n ** 62n,
    });
    const isTransfer = ({ typeGroup, type }: Transaction): boolean => typeGroup === 1 && type === 0;
    const moved = blocks.map((block) => ({
      ...block,
      transactions: block.transactions.map((each) =>
        block.height > CHECKPOINT + 1 && isTransfer(each) ? sentToOneself(each) : each,
      ),
    }));
    const index = await IndexedChain.create(network, moved);
    open.push(index);
    const days = await queryRows<{ volume: bigint }>(index.client, 'SELECT volume FROM daily_statistics');
    expect(days.map(({ volume }) => volume > 2n ** 63n)).toContain(true);
    expect(await findViolations(index.client)).toEqual({});
    await undoTo(index.client, moved.at(-1)!, CHECKPOINT + 1);
    expect(await findViolations(index.client)).toEqual({});
  });
});

describe('an index that an earlier version began', () => {
  it('goes on without them, and is sound, with and without a checkpoint', async () => {
    const index = await indexOf(false);
    expect(await findViolations(index.client)).toEqual({});
    const { rows } = await index.client.query(
      `SELECT (SELECT count(attributes) FROM accounts)::integer AS attributes, (SELECT count(weights) FROM rounds)::integer AS weights,
         (SELECT count(*) FROM daily_fees)::integer AS fees, (SELECT count(*) FROM daily_statistics)::integer AS days`,
    );
    expect(rows).toEqual([{ attributes: 0, weights: 0, fees: 0, days: 0 }]);
    expect(await verified(index)).toMatchObject({ from: 0, ...SOUND });
    expect(await prove(index)).toMatchObject(PROVEN);
    expect(await verified(index)).toMatchObject({ from: CHECKPOINT, ...SOUND });
    await undoTo(index.client, blocks.at(-1)!, CHECKPOINT + 1);
    expect(await findViolations(index.client)).toEqual({});
  });

  it('gets them by a rebuild, which uses no checkpoint of it', async () => {
    const [index, straight] = [await indexOf(false), await indexOf(true)];
    await prove(index);
    expect(await rebuilt(index)).toMatchObject({ from: 0 });
    expect(await hasDetails(index)).toBe(true);
    expect(await snapshotTables(index.client)).toEqual(await snapshotTables(straight.client));
    expect(await verified(index)).toMatchObject({ from: 0, ...SOUND });
    expect(await prove(index)).toMatchObject({ from: 0, ...PROVEN });
    await undoTo(index.client, blocks.at(-1)!, CHECKPOINT + 1);
    expect(await findViolations(index.client)).toEqual({});
  });

  it('gets them by a rebuild even if no row differs', async () => {
    const index = await indexOf(true);
    await index.client.query('UPDATE head SET has_details = false');
    await rebuilt(index);
    expect(await hasDetails(index)).toBe(true);
  });
});
