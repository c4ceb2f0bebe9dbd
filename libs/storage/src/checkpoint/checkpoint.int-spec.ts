import { afterEach, describe, expect, it } from '@jest/globals';
import { parseNetwork, Rules, type Network } from '@roundhouse/chain';
import { chainColumns, LEDGER_TABLES } from '@roundhouse/entities/tables';
import { makeChain, randomChain } from '@roundhouse/testing';
import { namesOf } from '@roundhouse/entities/sql';
import { claimNetwork } from '../status/claim-network.js';
import { rebuildIndex, type RebuildOptions, type RebuildReport } from '../rebuild/rebuild-index.js';
import { resetIndex } from '../reset.js';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { verifyIndex, type IndexReport } from '../verify/verify-index.js';
import { undoTo } from '../writer/undo-to.js';
import { advanceCheckpoint, type Advanced, type AdvanceOptions } from './advance-checkpoint.js';
import { dropCheckpoint } from './checkpoint.js';

const BLOCKS = 160;
/** The newest end of a round that can never be undone. Up to block 40 a round has 5 blocks, then 7. */
const CHECKPOINT = 124;
const UNDO_DEPTH = BLOCKS - CHECKPOINT;
const { network, blocks } = randomChain({ seed: 79, blocks: BLOCKS });

const open: IndexedChain[] = [];

const indexOf = async (count = BLOCKS, undoDepth = UNDO_DEPTH): Promise<IndexedChain> => {
  const index = await IndexedChain.create(network, blocks.slice(0, count), undoDepth);
  open.push(index);
  return index;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((index) => index.close()));
});

const advanced = (index: IndexedChain, options: Partial<AdvanceOptions> = {}): Promise<Advanced> =>
  index.apart((client) => {
    // If its connection is cut, the failing statement reports it.
    client.on('error', () => undefined);
    return advanceCheckpoint(client, { stepBlocks: 20, accountCapacity: 3, listed: 3, ...options });
  });

const verified = (index: IndexedChain): Promise<IndexReport> =>
  index.apart((client) => verifyIndex(client, { listed: 3 }));

const rebuilt = (index: IndexedChain, options: Partial<RebuildOptions> = {}): Promise<RebuildReport> =>
  index.apart((client) => rebuildIndex(client, { undoDepth: UNDO_DEPTH, ...options }));

const damage = async (index: IndexedChain, ...statements: readonly string[]): Promise<void> => {
  for (const statement of statements) expect((await index.client.query(statement)).rowCount).not.toBe(0);
};

let proven: Promise<() => Promise<IndexedChain>> | undefined;

/** An index with its checkpoint. */
const provenIndex = async (): Promise<IndexedChain> => {
  proven ??= IndexedChain.create(network, blocks, UNDO_DEPTH).then(async (index) => {
    await advanced(index);
    return index.asOriginal();
  });
  const index = await (await proven)();
  open.push(index);
  return index;
};

/** All rows of the ledger in a schema. */
const rowsOf = async ({ client }: IndexedChain, schema: string): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {};
  for (const table of LEDGER_TABLES) {
    const { rows } = await client.query<{ row: string }>(
      `SELECT t::text AS row FROM (SELECT ${namesOf(chainColumns(table))} FROM ${schema}.${table.name}) AS t ORDER BY 1`,
    );
    tables[table.name] = rows.map(({ row }) => row);
  }
  return tables;
};

const height = async (index: IndexedChain): Promise<number | null> => {
  const { rows } = await index.client.query<{ height: number }>('SELECT height FROM checkpoint.head');
  return rows[0]?.height ?? null;
};

/** The tables of an index whose head is the checkpoint's block. */
const expectedCopies = async (): Promise<Record<string, string[]>> => {
  const straight = await indexOf(CHECKPOINT, 1);
  const {
    undo_accounts: _a,
    undo_delegates: _d,
    undo_locks: _l,
    undo_daily_statistics: _s,
    ...rows
  } = await rowsOf(straight, 'roundhouse');
  const state_sums = rows['state_sums']!.filter((row) => row.startsWith(`(${CHECKPOINT},`));
  const rankings = rows['rankings']!.slice(-1);
  const round_candidates = rows['round_candidates']!.filter(
    (row) => row.split(',')[2] === `${CHECKPOINT + 1}`,
  );
  const copied = { ...rows, state_sums, rankings, round_candidates };
  const undone = { undo_accounts: [], undo_delegates: [], undo_locks: [], undo_daily_statistics: [] };
  return { ...copied, ...undone };
};

describe('advanceCheckpoint', () => {
  it.each([1, 20, 1_000])(
    'makes the tables of an index that ends at the newest round out of the reach of undoing, in steps of %i blocks',
    async (stepBlocks) => {
      const index = await indexOf();
      expect(await advanced(index, { stepBlocks })).toEqual({ from: 0, height: CHECKPOINT, problem: null });
      expect(await rowsOf(index, 'checkpoint')).toEqual(await expectedCopies());
      expect(await advanced(index)).toEqual({ from: CHECKPOINT, height: CHECKPOINT, problem: null });
    },
  );

  it('continues from its last step after it was cut off, and gives the same tables', async () => {
    const index = await indexOf();
    const cutAt = async (last: number): Promise<void> => {
      const onProgress = (reached: number): void => {
        if (reached >= last) throw new Error('cut off');
      };
      const partSize = { headers: 3, transactions: 5 };
      await expect(advanced(index, { onProgress, partSize })).rejects.toThrow('cut off');
    };
    await cutAt(5);
    expect(await height(index)).toBeNull();
    await cutAt(38);
    expect(await height(index)).toBe(20);
    await cutAt(70);
    expect(await height(index)).toBe(68);
    expect(await advanced(index)).toEqual({ from: 68, height: CHECKPOINT, problem: null });
    expect(await rowsOf(index, 'checkpoint')).toEqual(await expectedCopies());
  });

  it('takes turns with another program', async () => {
    const index = await indexOf();
    const all = await Promise.all([
      advanced(index, { stepBlocks: 5, yields: true }),
      advanced(index, { stepBlocks: 10, yields: true }),
      advanced(index, { fromGenesis: true }),
    ]);
    for (const each of all) expect(each).toMatchObject({ height: CHECKPOINT, problem: null });
    expect(await rowsOf(index, 'checkpoint')).toEqual(await expectedCopies());
  });

  it('begins again if the copies were dropped during a step', async () => {
    const index = await indexOf();
    let isDropped = false;
    const onProgress = async (reached: number): Promise<void> => {
      if (isDropped || reached < 50) return;
      isDropped = true;
      await dropCheckpoint(index.client);
    };
    expect(await advanced(index, { onProgress })).toMatchObject({ height: CHECKPOINT, problem: null });
    expect(isDropped).toBe(true);
    expect(await rowsOf(index, 'checkpoint')).toEqual(await expectedCopies());
  });

  it('gives the same while a fork is followed during a step, and never reaches the blocks that it undoes', async () => {
    const index = await indexOf();
    let isForked = false;
    const onProgress = async (reached: number): Promise<void> => {
      if (isForked || reached < 50) return;
      isForked = true;
      await index.apart((client) => undoTo(client, blocks.at(-1)!, CHECKPOINT));
    };
    expect(await advanced(index, { onProgress })).toMatchObject({ height: CHECKPOINT, problem: null });
    expect(isForked).toBe(true);
    expect(await rowsOf(index, 'checkpoint')).toEqual(await expectedCopies());
    expect(await verified(index)).toMatchObject({ head: { height: CHECKPOINT }, tables: [], badBlocks: [] });
  });

  it.each([
    ['without blocks', 0, UNDO_DEPTH],
    ['shorter than a round', 3, 1],
    ['of which every block can be undone', 60, 1_000],
  ])('makes none for a chain %s; verify then begins with the genesis block', async (_, count, undoDepth) => {
    const index = await indexOf(count, undoDepth);
    expect(await advanced(index)).toEqual({ from: 0, height: 0, problem: null });
    expect(await height(index)).toBeNull();
    expect(await verified(index)).toMatchObject({ from: 0, badBlocks: [], tables: [] });
  });

  it('is dropped by a reset', async () => {
    const index = await provenIndex();
    await resetIndex(index.client);
    expect(await height(index)).toBeNull();
  });

  it('without signatures is made again from the genesis block when they are asked for, one with them is not', async () => {
    const asked = { verifiesSignatures: true };
    const random = await provenIndex();
    const unsigned = { height: 2, problem: expect.stringContaining('its blockSignature is not by') };
    expect(await advanced(random, asked)).toMatchObject({ from: 0, problem: { badBlocks: [unsigned] } });
    expect(await random.apart((client) => verifyIndex(client, { listed: 3, ...asked }))).toMatchObject({
      from: 0,
      badBlocks: expect.arrayContaining([unsigned]),
    });
    expect(await advanced(random)).toMatchObject({ from: CHECKPOINT, problem: null });

    const chain = makeChain({}, 110);
    const signed = await IndexedChain.create(parseNetwork(chain.network), chain.blocks, 50);
    open.push(signed);
    const [first, second] = [51, 102];
    expect(await advanced(signed, asked)).toEqual({ from: 0, height: first, problem: null });
    expect(await advanced(signed, asked)).toEqual({ from: first, height: first, problem: null });
    await signed.client.query('DELETE FROM undo_accounts');
    expect(await advanced(signed)).toEqual({ from: first, height: second, problem: null });
    expect(await advanced(signed, asked)).toEqual({ from: 0, height: second, problem: null });
    expect(await advanced(signed, asked)).toEqual({ from: second, height: second, problem: null });
  });

  it('that was allowed more is made again from the genesis block, one that was allowed less is not', async () => {
    const index = await provenIndex();
    const lenient = { rules: new Rules({ lenient: new Set(['nonce']) }) };
    const generous = { rules: new Rules({ mostUnknownFee: 10n ** 12n }) };
    for (const more of [lenient, generous]) {
      expect(await advanced(index, more)).toMatchObject({ from: CHECKPOINT });
      await index.client.query('DELETE FROM checkpoint.head');
      expect(await advanced(index, more)).toMatchObject({ from: 0, height: CHECKPOINT });
      expect(await advanced(index, more)).toMatchObject({ from: CHECKPOINT });
      expect(await verified(index)).toMatchObject({ from: 0 });
      expect(await advanced(index)).toMatchObject({ from: 0, height: CHECKPOINT });
      expect(await verified(index)).toMatchObject({ from: CHECKPOINT });
    }
  });

  const withMilestoneAt = (from: number): Network => ({
    ...network,
    milestones: [...network.milestones, { height: from, reward: 77n }],
  });

  it('begins with the genesis block again if the rules have changed for blocks below it', async () => {
    const index = await provenIndex();
    await claimNetwork(index.client, withMilestoneAt(CHECKPOINT + 2));
    expect(await advanced(index)).toMatchObject({ from: CHECKPOINT });
    await claimNetwork(index.client, withMilestoneAt(100));
    expect(await verified(index)).toMatchObject({ from: 0 });
    const again = await advanced(index);
    expect(again).toMatchObject({ from: 0, problem: { badBlocks: [{ height: 100 }] } });
    expect(again.height).toBeLessThan(100);
  });

  it.each([
    [
      'a block',
      'UPDATE blocks SET total_fee = coalesce(total_fee, 0) + 1 WHERE height = 57',
      { badBlocks: [{ height: 57 }] },
    ],
    ['a missing block', 'DELETE FROM blocks WHERE height = 57', { badBlocks: [{ height: 58 }] }],
    [
      'a digest',
      'UPDATE round_digests SET digest = accounts WHERE height = 54',
      { tables: [{ table: 'round_digests', rows: [{ key: '10' }] }] },
    ],
    [
      'a missing digest',
      'DELETE FROM round_digests WHERE height = 54',
      { tables: [{ table: 'round_digests' }] },
    ],
    [
      'a round',
      'UPDATE rounds SET forging_order = forging_order[2:] || forging_order[1] WHERE first_height = 55',
      { tables: [{ table: 'rounds', rows: [{ key: '11' }] }] },
    ],
    ['a missing round', 'DELETE FROM rounds WHERE first_height = 55', { tables: [{ table: 'rounds' }] }],
    [
      'the height of a number',
      'UPDATE addresses SET height = height + 1 WHERE number = (SELECT min(number) FROM addresses WHERE height > 21)',
      { tables: [{ table: 'addresses' }] },
    ],
  ])('stops below damage of %s and names it', async (_, statement, problem) => {
    const index = await indexOf();
    await damage(index, statement);
    const stopped = await advanced(index);
    expect(stopped).toMatchObject({ from: 0, problem });
    expect(stopped.height).toBeGreaterThanOrEqual(20);
    expect(stopped.height).toBeLessThan(CHECKPOINT);
    expect(await height(index)).toBe(stopped.height);
    expect(await advanced(index)).toMatchObject({ from: stopped.height, height: stopped.height, problem });
  });
});

const REFUSED = /^The checkpoint at block 124 cannot be used: .* Run "indexer verify --from-genesis"/;

describe('verifyIndex from a checkpoint', () => {
  it.each([0, 5])(
    'finds nothing in a sound index and says where it began, %i blocks below the reach of undoing',
    async (below) => {
      const index = await indexOf(BLOCKS, UNDO_DEPTH - below);
      await advanced(index);
      expect(await verified(index)).toEqual({
        head: expect.objectContaining({ height: BLOCKS }),
        from: CHECKPOINT,
        badBlocks: [],
        strays: [],
        isBroken: false,
        tables: [],
        misplaced: [],
      });
    },
  );

  it.each([
    'UPDATE accounts SET balance = balance + 1 WHERE address = (SELECT min(address) FROM accounts)',
    'DELETE FROM accounts WHERE address = (SELECT max(address) FROM accounts)',
    'UPDATE head SET supply = supply + 1',
    'UPDATE delegates SET weight = weight - 1 WHERE number = 2',
    'UPDATE delegates SET number = 1000 WHERE number = 2',
    `INSERT INTO locks (transaction_id, sender_address, recipient_address, amount) VALUES ('\\xab', 'A', 'B', 5)`,
    'UPDATE rounds SET forging_order = forging_order[2:] || forging_order[1]',
    'DELETE FROM rounds WHERE round = 2',
    'UPDATE round_digests SET digest = accounts WHERE round = 3',
    'DELETE FROM round_digests WHERE round = 12',
    `UPDATE undo_accounts SET balance = 0 WHERE height = ${BLOCKS - 2} AND balance <> 0`,
    `DELETE FROM undo_delegates WHERE height = ${CHECKPOINT + 1}`,
    `DELETE FROM state_sums WHERE height = ${CHECKPOINT}`,
    `UPDATE addresses SET height = height + 1 WHERE number = (SELECT min(number) FROM addresses WHERE height > ${CHECKPOINT})`,
    `INSERT INTO addresses SELECT max(number) + 1, 1, 'unmentioned' FROM addresses`,
    `DELETE FROM blocks WHERE height = ${CHECKPOINT + 10}`,
    `UPDATE blocks SET total_fee = coalesce(total_fee, 0) + 1 WHERE height = ${CHECKPOINT + 1}`,
  ])('reports the same as from the genesis block: %s', async (statement) => {
    const index = await provenIndex();
    await damage(index, statement);
    const { from, ...report } = await verified(index);
    expect(from).toBe(CHECKPOINT);
    expect(report.badBlocks.length + report.tables.length).toBeGreaterThan(0);
    await dropCheckpoint(index.client);
    const { from: genesis, ...whole } = await verified(index);
    expect(genesis).toBe(0);
    expect(report).toEqual(whole);
  });

  it.each([
    'UPDATE checkpoint.accounts SET balance = balance + 1 WHERE address = (SELECT min(address) FROM checkpoint.accounts)',
    'DELETE FROM checkpoint.accounts WHERE address = (SELECT max(address) FROM checkpoint.accounts)',
    'UPDATE checkpoint.delegates SET weight = weight - 1 WHERE number = 2',
    'UPDATE checkpoint.delegates SET number = 1000 WHERE number = 2',
    'UPDATE checkpoint.accounts SET number = 1000 WHERE number = 2',
    'UPDATE checkpoint.head SET supply = supply + 1',
    'UPDATE checkpoint.head SET delegate_count = delegate_count + 1',
    'UPDATE checkpoint.head SET block_id = set_byte(block_id, 0, 7)',
    'UPDATE checkpoint.state_sums SET locks = accounts',
    'INSERT INTO checkpoint.state_sums SELECT 3, block_id, accounts, delegates, locks FROM checkpoint.state_sums',
    `INSERT INTO checkpoint.undo_accounts SELECT * FROM undo_accounts WHERE height = ${BLOCKS}`,
    'UPDATE checkpoint.delegates SET last_rank = last_rank + 1 WHERE number = 2',
    'UPDATE checkpoint.proof SET public_keys = public_keys - 1',
    'UPDATE checkpoint.proof SET addresses = addresses + 1',
    'UPDATE addresses SET height = height + 1000 WHERE number = 5',
    `UPDATE checkpoint.rounds SET forging_order = forging_order[2:] || forging_order[1] WHERE first_height = ${CHECKPOINT + 1}`,
    `UPDATE round_digests SET digest = accounts WHERE height = ${CHECKPOINT}`,
    `DELETE FROM round_digests WHERE height = ${CHECKPOINT}`,
    `DELETE FROM blocks WHERE height = ${CHECKPOINT}`,
  ])('refuses a checkpoint that does not fit the index and says what to do: %s', async (statement) => {
    const index = await provenIndex();
    await damage(index, statement);
    await expect(verified(index)).rejects.toThrow(REFUSED);
    await expect(advanced(index)).rejects.toThrow(REFUSED);
    const before = await rowsOf(index, 'roundhouse');
    await expect(rebuilt(index)).rejects.toThrow(REFUSED);
    expect(await rowsOf(index, 'roundhouse')).toEqual(before);
  });

  it('refuses a checkpoint above which there are rows already', async () => {
    const index = await indexOf();
    const onProgress = (reached: number): void => {
      if (reached >= 70) throw new Error('cut off');
    };
    await expect(advanced(index, { onProgress })).rejects.toThrow('cut off');
    const next = 'SELECT max(round) + 1 FROM checkpoint.rounds';
    await damage(index, `UPDATE checkpoint.rounds SET round = (${next}) WHERE round = 2`);
    await expect(advanced(index)).rejects.toThrow(
      /^The checkpoint at block 68 cannot be used: its rows contradict the next blocks: duplicate key .* Run "indexer verify --from-genesis"/,
    );
  });

  it('ends if the head is missing, and says so', async () => {
    const index = await indexOf();
    await damage(index, 'DELETE FROM head');
    expect(await advanced(index)).toEqual({ from: 0, height: 0, problem: null });
    expect(await verified(index)).toMatchObject({ tables: [{ table: 'head', total: 1 }] });
    expect(await rebuilt(index)).toMatchObject({ kind: 'rebuilt' });
    expect(await advanced(index)).toEqual({ from: 0, height: CHECKPOINT, problem: null });
    expect(await verified(index)).toMatchObject({ tables: [], badBlocks: [] });
  });

  it('does not see what changed in a block below the checkpoint: only a verification from the genesis block does', async () => {
    const index = await provenIndex();
    await damage(index, 'UPDATE blocks SET version = version + 1 WHERE height = 57');
    expect(await verified(index)).toMatchObject({ from: CHECKPOINT, badBlocks: [], tables: [] });
    await dropCheckpoint(index.client);
    expect(await verified(index)).toMatchObject({ from: 0, badBlocks: [{ height: 57 }] });
  });
});

describe('rebuildIndex from a checkpoint', () => {
  it('gives the same tables as from the genesis block', async () => {
    const index = await indexOf();
    const sound = await rowsOf(index, 'roundhouse');
    await advanced(index);
    for (const fromGenesis of [false, true]) {
      await damage(
        index,
        'UPDATE accounts SET balance = balance + 1',
        'UPDATE undo_accounts SET balance = balance + 1',
        'DELETE FROM state_sums',
        'UPDATE delegates SET forged_fees = 1',
        `DELETE FROM round_digests WHERE height > ${CHECKPOINT}`,
      );
      expect(await rebuilt(index, { fromGenesis })).toMatchObject({
        kind: 'rebuilt',
        from: fromGenesis ? 0 : CHECKPOINT,
      });
      expect(await rowsOf(index, 'roundhouse')).toEqual(sound);
    }
    expect(await height(index)).toBeNull();
  });

  it('begins with the genesis block, and drops the checkpoint, if it has to make before-images below it', async () => {
    const index = await provenIndex();
    expect(await rebuilt(index)).toMatchObject({ from: CHECKPOINT });
    expect(await rebuilt(index, { undoDepth: UNDO_DEPTH + 1 })).toMatchObject({ kind: 'rebuilt', from: 0 });
    expect(await height(index)).toBeNull();
    expect(await verified(index)).toMatchObject({ from: 0, tables: [] });
  });

  it.each(['rounds', 'checkpoint.rounds'])(
    'corrects a changed row of %s below the checkpoint, which verify sees, only from the genesis block',
    async (table) => {
      const index = await indexOf();
      const sound = await rowsOf(index, 'roundhouse');
      await advanced(index);
      await damage(index, `UPDATE ${table} SET forging_order = forging_order[2:] WHERE round = 5`);
      expect(await verified(index)).toMatchObject({ tables: [{ table: 'rounds', rows: [{ key: '5' }] }] });
      await expect(rebuilt(index)).rejects.toThrow(
        /below it, the rows of rounds are not those of its copies/,
      );
      expect(await rebuilt(index, { fromGenesis: true })).toMatchObject({ from: 0 });
      expect(await rowsOf(index, 'roundhouse')).toEqual(sound);
      expect(await advanced(index)).toEqual({ from: 0, height: CHECKPOINT, problem: null });
    },
  );

  it('names a damaged block above the checkpoint', async () => {
    const index = await provenIndex();
    await damage(index, 'UPDATE blocks SET total_fee = coalesce(total_fee, 0) + 1 WHERE height = 140');
    expect(await rebuilt(index)).toMatchObject({ kind: 'damaged', lastSound: 139, block: { height: 140 } });
  });
});
