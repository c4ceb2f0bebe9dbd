import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chainColumns, DERIVED_TABLES } from '@roundhouse/entities/tables';
import { eventually, randomChain, snapshotTables } from '@roundhouse/testing';
import pg from 'pg';
import { namesOf } from '@roundhouse/entities/sql';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { verifyIndex, type IndexReport } from '../verify/verify-index.js';
import { loadLedger } from '../writer/load-ledger.js';
import { undoTo } from '../writer/undo-to.js';
import { rebuildIndex, type RebuildOptions, type RebuildReport } from './rebuild-index.js';

const BLOCKS = 160;
const UNDO_DEPTH = 30;
const { network, blocks } = randomChain({ seed: 43, blocks: BLOCKS });

describe('rebuildIndex', () => {
  const open: IndexedChain[] = [];
  const created = async (...statements: string[]): Promise<IndexedChain> => {
    const index = await IndexedChain.create(network, blocks, UNDO_DEPTH);
    open.push(index);
    await damage(index, ...statements);
    return index;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((index) => index.close()));
  });

  const damage = async (index: IndexedChain, ...statements: string[]): Promise<void> => {
    for (const statement of statements) expect((await index.client.query(statement)).rowCount).not.toBe(0);
  };

  const rebuilt = (index: IndexedChain, options: Partial<RebuildOptions> = {}): Promise<RebuildReport> =>
    index.apart((client) => {
      // If its connection is cut, the failing statement reports it.
      client.on('error', () => undefined);
      return rebuildIndex(client, { undoDepth: UNDO_DEPTH, ...options });
    });

  const verified = (index: IndexedChain): Promise<IndexReport> =>
    index.apart((client) => verifyIndex(client, { listed: 3 }));

  /** All that the blocks determine, undo records included. */
  const derivedRows = async ({ client }: IndexedChain): Promise<Record<string, string[]>> => {
    const tables: Record<string, string[]> = {};
    for (const table of DERIVED_TABLES) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM (SELECT ${namesOf(chainColumns(table))} FROM ${table.name}) AS t ORDER BY 1`,
      );
      tables[table.name] = rows.map(({ row }) => row);
    }
    return tables;
  };

  const SOUND = { head: { height: BLOCKS }, badBlocks: [], isBroken: false, tables: [] };

  it('writes nothing if nothing differs', async () => {
    const index = await created();
    const headRow = () => index.client.query('SELECT xmin::text, * FROM head');
    const before = (await headRow()).rows;
    expect(await rebuilt(index)).toMatchObject({ kind: 'rebuilt', head: { height: BLOCKS }, replaced: [] });
    expect((await headRow()).rows).toEqual(before);
  });

  it('increases the revision of the head, as applying and undoing do, even if it replaces the row', async () => {
    const index = await created();
    const revision = async (): Promise<number> =>
      Number((await index.client.query<{ revision: string }>('SELECT revision FROM head')).rows[0]!.revision);
    const applied = await revision();
    expect(applied).toBeGreaterThan(1);
    await index.apart((client) => undoTo(client, blocks.at(-1)!, BLOCKS - 2));
    expect(await revision()).toBe(applied + 1);
    await damage(index, 'UPDATE head SET supply = supply + 1');
    await rebuilt(index);
    expect(await revision()).toBe(applied + 2);
  });

  describe('corrects what was changed, removed or added, after verifyIndex has named the table:', () => {
    let index: IndexedChain;
    let sound: Record<string, string[]>;

    beforeAll(async () => {
      index = await IndexedChain.create(network, blocks, UNDO_DEPTH);
      sound = await derivedRows(index);
    });

    afterAll(() => index.close());

    it.each([
      ['head', 'UPDATE head SET height = height - 3, supply = supply + 1, block_id = block_id || block_id'],
      ['head', 'UPDATE head SET delegate_count = 0'],
      ['head', 'DELETE FROM head'],
      [
        'accounts',
        'UPDATE accounts SET balance = balance + 1 WHERE address = (SELECT min(address) FROM accounts)',
      ],
      ['accounts', 'DELETE FROM accounts'],
      [
        'accounts',
        `INSERT INTO accounts (number, address, balance, locked, nonce) VALUES (0, 'nobody', 0, 0, 0)`,
      ],
      ['accounts', 'UPDATE accounts SET nonce = nonce + 1'],
      ['accounts', 'UPDATE accounts SET second_public_key = public_key WHERE second_public_key IS NOT NULL'],
      ['accounts', 'UPDATE accounts SET multi_signature = NULL'],
      ['delegates', 'UPDATE delegates SET missed_blocks = missed_blocks + 1, weight = 0'],
      ['delegates', 'DELETE FROM delegates WHERE username = (SELECT max(username) FROM delegates)'],
      [
        'delegates',
        `INSERT INTO delegates VALUES (0, 0, 0, 1000, 0, 0, 0, 1, 1, false, '\\x02', 'address', 'name')`,
      ],
      // Each name moves to the next delegate: no row can be corrected while the others stay.
      [
        'delegates',
        `UPDATE delegates SET username = '-' || username;
       WITH named AS (
         SELECT public_key, coalesce(lead(username) OVER by_name, first_value(username) OVER by_name) AS name
         FROM delegates WINDOW by_name AS (ORDER BY username)
       )
       UPDATE delegates SET username = substr(name, 2) FROM named WHERE named.public_key = delegates.public_key`,
      ],
      // Each delegate takes the number of the next one.
      ['delegates', 'UPDATE delegates SET number = -number; UPDATE delegates SET number = 1 - number'],
      ['locks', 'UPDATE locks SET amount = amount + 1'],
      ['locks', 'DELETE FROM locks'],
      ['locks', `INSERT INTO locks VALUES (5, '\\xab', 'A', 'B')`],
      ['rounds', 'UPDATE rounds SET forging_order = forging_order[2:] || forging_order[1]'],
      ['rounds', 'UPDATE rounds SET first_height = first_height + 1000 WHERE round = 2'],
      ['rounds', 'DELETE FROM rounds WHERE round > 3'],
      ['rounds', `INSERT INTO rounds VALUES (1000, 10000, '{}')`],
      ['payments', 'DELETE FROM payments'],
      ['payments', 'UPDATE payments SET recipient = recipient + 1000'],
      ['payments', 'UPDATE payments SET sequence = sequence + 1000'],
      ['undo_accounts', 'UPDATE undo_accounts SET balance = 0, existed = NOT existed'],
      ['undo_accounts', 'DELETE FROM undo_accounts'],
      ['undo_accounts', `INSERT INTO undo_accounts VALUES (0, 0, 3, 0, false, 'A', NULL, NULL, NULL, NULL)`],
      ['undo_accounts', 'UPDATE undo_accounts SET nonce = nonce + 1, second_public_key = NULL'],
      ['undo_delegates', 'UPDATE undo_delegates SET weight = weight + 1'],
      ['undo_delegates', 'DELETE FROM undo_delegates'],
      ['undo_delegates', `INSERT INTO undo_delegates VALUES (0, 0, 0, 3, 0, 0, 0, false, false, '\\x02')`],
      ['undo_locks', 'UPDATE undo_locks SET existed = NOT existed, amount = 0'],
      ['undo_locks', 'DELETE FROM undo_locks'],
      ['undo_locks', `INSERT INTO undo_locks VALUES (5, ${BLOCKS}, true, '\\xab', 'A', 'B')`],
      ['round_digests', 'UPDATE round_digests SET digest = accounts WHERE round = 3'],
      ['round_digests', 'DELETE FROM round_digests WHERE round = 1'],
      ['round_digests', `INSERT INTO round_digests VALUES (1000, 1000, '', '', '', '')`],
      ['state_sums', 'UPDATE state_sums SET locks = accounts'],
      ['state_sums', 'DELETE FROM state_sums'],
      ['state_sums', `INSERT INTO state_sums VALUES (3, '', '', '', '')`],
    ])('%s: %s', async (table, statement) => {
      await damage(index, statement);
      expect(await derivedRows(index)).not.toEqual(sound);
      const { tables, badBlocks } = await verified(index);
      // How many blocks can be undone, a verification learns from the heights in undo_accounts.
      const isReach = /^(DELETE FROM|INSERT INTO) undo_accounts/.test(statement);
      const named = isReach ? expect.arrayContaining(['undo_delegates', 'undo_locks']) : [table];
      expect({ tables: tables.map((each) => each.table), badBlocks }).toEqual({
        tables: named,
        badBlocks: [],
      });
      expect(await rebuilt(index)).toMatchObject({ kind: 'rebuilt', replaced: [{ table }] });
      expect(await derivedRows(index)).toEqual(sound);
    });
  });

  it('restores all derived tables if they are empty, even with few accounts in memory', async () => {
    const sound = await created();
    const index = await created(
      'TRUNCATE payments, head, accounts, delegates, locks, rounds, undo_accounts, undo_delegates, undo_locks, round_digests, state_sums',
    );
    await rebuilt(index, { accountCapacity: 3 });
    expect(await derivedRows(index)).toEqual(await derivedRows(sound));
  });

  it('makes before-images down to the requested depth, and undoing with them works', async () => {
    const index = await created();
    await rebuilt(index, { undoDepth: 100 });
    expect(await verified(index)).toMatchObject(SOUND);
    await index.apart((client) => undoTo(client, blocks.at(-1)!, BLOCKS - 100));
    const straight = await IndexedChain.create(network, blocks.slice(0, BLOCKS - 100), UNDO_DEPTH);
    open.push(straight);
    expect(await snapshotTables(index.client)).toEqual(await snapshotTables(straight.client));
  });

  const busy = blocks.find(({ height, transactions }) => height >= 90 && transactions.length > 0)!.height;

  it.each([
    [
      busy,
      busy - 1,
      `UPDATE transactions SET amount = amount + 7 WHERE block_height >= ${busy} AND sequence = 0`,
    ],
    [50, 49, `UPDATE blocks SET id = set_byte(id, 0, height) WHERE height IN (50, 120)`],
    [101, 99, 'DELETE FROM blocks WHERE height = 100'],
    [2, 0, 'DELETE FROM blocks WHERE height = 1'],
  ])(
    'names %i as the first damaged block and %i as the newest sound one below it, and changes nothing: %s',
    async (height, lastSound, statement) => {
      const index = await created(statement, 'UPDATE accounts SET balance = balance + 1');
      const before = await snapshotTables(index.client);
      const report = await rebuilt(index);
      expect(report).toEqual({ kind: 'damaged', lastSound, block: { height, problem: expect.any(String) } });
      expect(await snapshotTables(index.client)).toEqual(before);
    },
  );

  it('restores the sums at the head, without which the index cannot continue', async () => {
    const index = await created('DELETE FROM state_sums');
    await expect(index.apart((client) => loadLedger(client, network))).rejects.toThrow(
      `The index has no sums of its state at block ${BLOCKS}: run "indexer rebuild".`,
    );
    await rebuilt(index);
    expect((await index.apart((client) => loadLedger(client, network))).head?.height).toBe(BLOCKS);
  });

  it('reports that there is nothing to rebuild from', async () => {
    const index = await IndexedChain.create(network, []);
    open.push(index);
    expect(await rebuilt(index)).toEqual({ kind: 'empty' });
  });

  it('notifies readers of the new head when it is done', async () => {
    const index = await created('UPDATE accounts SET balance = balance + 1');
    const heard: string[] = [];
    index.client.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await index.client.query('LISTEN head');
    const { rows: before } = await index.client.query('SELECT indexed_at FROM head');
    await rebuilt(index);
    const { rows: after } = await index.client.query('SELECT indexed_at FROM head');
    expect(after).not.toEqual(before);
    expect(heard).toEqual([`${BLOCKS}:${blocks.at(-1)!.id}`]);
    const { rows: events } = await index.client.query<{ kind: string; data: { blocks: number } }>(
      'SELECT kind, data FROM events ORDER BY sequence DESC LIMIT 1',
    );
    expect(events).toMatchObject([{ kind: 'head', data: { blocks: 0, height: BLOCKS } }]);
  });

  it('changes nothing if its session ends in the middle', async () => {
    const index = await created(
      'UPDATE delegates SET weight = -weight',
      'UPDATE accounts SET balance = balance + 1',
      'UPDATE rounds SET forging_order = forging_order[2:] || forging_order[1]',
    );
    const before = await snapshotTables(index.client);
    const blocker = new pg.Client({ connectionString: index.url });
    await blocker.connect();
    // Stops the rebuild when all tables but the rounds are replaced: a row that it must replace is locked.
    await blocker.query('BEGIN; SELECT FROM rounds FOR UPDATE');
    const refused = expect(rebuilt(index)).rejects.toThrow();
    await eventually('its session waits, and is ended', async () => {
      const { rowCount } = await index.client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%DELETE FROM roundhouse.rounds%'`,
      );
      return rowCount === 1;
    });
    await refused;
    await blocker.end();
    expect(await snapshotTables(index.client)).toEqual(before);
    await rebuilt(index);
    expect(await verified(index)).toMatchObject(SOUND);
  });
});
