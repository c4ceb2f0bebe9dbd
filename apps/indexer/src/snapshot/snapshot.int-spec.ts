import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOfHash, leafHash, merkleRoot, type Network } from '@roundhouse/chain';
import { buildMissingIndexes } from '@roundhouse/entities';
import { namesOf } from '@roundhouse/entities/sql';
import type { Table } from '@roundhouse/entities/tables';
import {
  claimNetwork,
  columnsOf,
  makeCertificate,
  readChainEnd,
  SNAPSHOT_TABLES,
  snapshotTablesOf,
} from '@roundhouse/storage';
import { findViolations, IN_THIS_DATABASE, randomChain, type RandomChain } from '@roundhouse/testing';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ApplyHarness } from '../apply/apply.harness.js';
import { MANIFEST } from '../files/filled-folder.js';
import { takeWriterLock } from '../leader/writer-lock.js';
import { createSnapshot, type CreatedSnapshot } from './create-snapshot.js';
import { CHECKSUMS, partsOf, type Manifest } from './manifest.js';
import { restoreSnapshot, type RestoreEvents } from './restore-snapshot.js';
import { SnapshotFile } from './snapshot-file.js';

const BLOCKS = 160;
const UNDO_DEPTH = 90;
/** Three parts of the chain can't change any more. */
const rangeHeights = 20;
const chain = randomChain({ seed: 4_004_004, blocks: BLOCKS });
const other = randomChain({ seed: 7, blocks: 60 });

const SILENT: RestoreEvents = {
  onBytes: () => undefined,
  onRows: () => undefined,
  onTables: () => undefined,
};

/** Everything that a restored index must have in common with the original. */
const rowsOf = async (client: pg.Client): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {};
  for (const { name, columns } of SNAPSHOT_TABLES) {
    const { rows } = await client.query<{ row: string }>(
      `SELECT t::text AS row FROM (SELECT ${namesOf(columns)} FROM ${name}) AS t ORDER BY t::text COLLATE "C"`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
};

/** Indexes and constraints. */
const definitionsOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ definition: string }>(`
    SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid >= 16384
    UNION ALL
    SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid >= 16384
    UNION ALL
    SELECT attrelid::regclass || ' ' || attname FROM pg_attribute WHERE attnotnull AND attnum > 0 AND attrelid >= 16384
    ORDER BY 1`);
  return rows.map(({ definition }) => definition);
};

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A part of a snapshot that has these rows. */
const dumpOf = async (client: pg.Client, select: string): Promise<Buffer> => {
  const copied = client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`));
  return gzipSync(Buffer.concat((await copied.toArray()) as Buffer[]));
};

/** The files of the tables: they change if a table is emptied, even if it is filled again. */
const filesOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ file: string }>(`
    SELECT relname || ' ' || pg_relation_filenode(oid) || ' ' || pg_relation_size(oid) AS file FROM pg_class
    WHERE relnamespace = 'roundhouse'::regnamespace AND relkind IN ('r', 'i') ORDER BY 1`);
  return rows.map(({ file }) => file);
};

describe('a snapshot', () => {
  const open: ApplyHarness[] = [];
  let folder: string;
  /** A snapshot of the chain, in many parts. */
  let whole: string;
  /** The same in one file. */
  let oneFile: string;
  let created: CreatedSnapshot;
  let original: ApplyHarness;

  const file = (name: string): string => join(folder, name);

  const emptyIndex = async (network: Network = chain.network): Promise<ApplyHarness> => {
    const index = await ApplyHarness.create(network);
    open.push(index);
    return index;
  };

  const indexOf = async ({ network, blocks }: RandomChain, keepsHistory = true): Promise<ApplyHarness> => {
    const index = await ApplyHarness.create(network, { keepsHistory, undoDepth: UNDO_DEPTH });
    await claimNetwork(index.client, network);
    await index.index(blocks);
    return index;
  };

  const restore = async (
    path: string,
    index: ApplyHarness,
    { network = null, events = SILENT }: { network?: Network | null; events?: RestoreEvents } = {},
  ): Promise<void> => {
    const snapshot = await SnapshotFile.open(path);
    try {
      await restoreSnapshot(index.url, snapshot, network, events);
    } finally {
      await snapshot.close();
    }
  };

  /** Restoring the file fails with this message, and no table is touched. */
  const expectRefusal = async (
    path: string,
    says: RegExp,
    index?: ApplyHarness,
    network: Network | null = null,
  ): Promise<void> => {
    const target = index ?? (await emptyIndex());
    const before = [await filesOf(target.client), await rowsOf(target.client)];
    const refused = expect(restore(path, target, { network })).rejects;
    await refused.toMatchObject({ code: 'OPERATOR', message: expect.stringMatching(says) });
    expect([await filesOf(target.client), await rowsOf(target.client)]).toEqual(before);
  };

  /** All files of a snapshot in a folder, by name. */
  const filesIn = async (path: string): Promise<Map<string, Buffer>> => {
    const files = new Map<string, Buffer>();
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      const own = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(own.slice(path.length + 1), await readFile(own));
    }
    return files;
  };

  /** Writes the snapshot again with other contents, and with checksums that are right again. */
  const rewrite = async (
    from: string,
    to: string,
    change: (manifest: Manifest, files: Map<string, Buffer>) => void,
  ): Promise<void> => {
    const files = await filesIn(from);
    const { manifest } = await opened(from);
    change(manifest, files);
    files.set(MANIFEST, Buffer.from(JSON.stringify(manifest)));
    const sha256 = sha256Of(files.get(MANIFEST)!);
    const isOne = manifest.version === 1;
    files.set(CHECKSUMS[isOne ? 0 : 1], Buffer.from(`${sha256}  ${MANIFEST}\n`));
    if (isOne) files.delete(CHECKSUMS[1]);
    await rm(to, { recursive: true, force: true });
    for (const [name, bytes] of files) {
      await mkdir(dirname(join(to, name)), { recursive: true });
      await writeFile(join(to, name), bytes);
    }
  };

  /** Makes a file of a folder with a program that everyone has. */
  const tarred = (path: string): string => {
    execFileSync('tar', ['--format=ustar', '-b1', '-cf', `${path}.tar`, '-C', path, '.']);
    return `${path}.tar`;
  };

  /** Turns a snapshot into one of version 1: one file, with the rows as they lie in the tables, and every column. */
  const asVersionOne = async (
    index: ApplyHarness,
    path: string,
    tables: readonly Table[],
    changeSchema: (schema: string[]) => void = () => undefined,
  ): Promise<string> => {
    const dumped = new Map<string, Buffer>();
    for (const { name, columns } of tables)
      dumped.set(name, await dumpOf(index.client, `SELECT ${namesOf(columns)} FROM ${name}`));
    await rewrite(path, path, (manifest, files) => {
      changeSchema(manifest.schema);
      Object.assign(manifest, { version: 1, createdAt: '2026-11-26T00:00:00.000Z' });
      files.clear();
      manifest.tables = tables.map((table) => {
        const bytes = dumped.get(table.name)!;
        const { rows } = manifest.tables.find(({ name }) => name === table.name)!;
        const part = {
          name: `${table.name}/000000.copy.gz`,
          rows,
          bytes: bytes.length,
          sha256: sha256Of(bytes),
        };
        files.set(part.name, bytes);
        return { name: table.name, columns: columnsOf(table), rows, parts: [part] };
      });
    });
    return tarred(path);
  };

  const opened = async (path: string): Promise<SnapshotFile> => {
    const snapshot = await SnapshotFile.open(path);
    await snapshot.close();
    return snapshot;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-snapshot-'));
    whole = file('whole');
    original = await indexOf(chain);
    await makeCertificate(original.client);
    created = await createSnapshot(original.url, whole, { rangeHeights });
    oneFile = tarred(whole);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  afterAll(async () => {
    await original.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is written into a folder in which a killed process had begun its first parts', async () => {
    const path = file('begun');
    await mkdir(join(path, 'blocks'), { recursive: true });
    for (const name of [
      'blocks/all.partial',
      'blocks/all-0123456789abcdef.copy.gz',
      'unfinished.json.partial',
    ])
      await writeFile(join(path, name), 'a part');
    await createSnapshot(original.url, path, { rangeHeights });
    expect((await readdir(path, { recursive: true })).sort()).toEqual(
      (await readdir(whole, { recursive: true })).sort(),
    );
  });

  it('is restored to the same rows, indexes and constraints, in several parts', async () => {
    const { tables } = created.manifest;
    expect(tables.map(({ parts }) => parts.length)).toEqual(expect.arrayContaining([1, 4]));
    const index = await emptyIndex();
    const before = await definitionsOf(index.client);
    await restore(whole, index);
    expect(await rowsOf(index.client)).toEqual(await rowsOf(original.client));
    expect(await definitionsOf(index.client)).toEqual(before);
    const rows = Object.entries(await rowsOf(original.client)).map(([name, all]) => [name, all.length]);
    expect(tables.map((table) => [table.name, table.rows])).toEqual(rows);
  });

  it('of before a migration that changed no table is restored, to an index that still lacks the indexes of lists', async () => {
    await rewrite(whole, file('before'), ({ schema }) =>
      schema.splice(
        schema.findIndex((name) => name.startsWith('AddWebhooks')),
        1,
      ),
    );
    const index = await emptyIndex();
    await index.client.query('DROP INDEX ix_accounts__balance, ix_transactions__type');
    const before = await definitionsOf(index.client);
    await restore(file('before'), index);
    expect(await rowsOf(index.client)).toEqual(await rowsOf(original.client));
    expect(await definitionsOf(index.client)).toEqual(before);
    await buildMissingIndexes(index.client);
    expect(await definitionsOf(index.client)).toEqual(await definitionsOf(original.client));
  });

  it.each([
    [
      'AddDetails',
      [],
      'UPDATE head SET has_details = false; UPDATE rounds SET weights = NULL; TRUNCATE daily_fees',
    ],
    ['AddStatistics', ['AddDetails1764900000000'], ''],
  ])(
    'of before %s is restored, to an index that goes on without what that added',
    async (added, known, remove) => {
      const index = await ApplyHarness.create(chain.network);
      open.push(index);
      await claimNetwork(index.client, chain.network);
      await index.index(chain.blocks.slice(0, 1));
      await index.client.query(`TRUNCATE daily_statistics, undo_daily_statistics; ${remove}`);
      await index.apply.open();
      await index.index(chain.blocks.slice(0, 103));
      const path = file(`before-${added}`);
      await createSnapshot(index.url, path);
      const old = await asVersionOne(index, path, snapshotTablesOf(known, 1), (schema) =>
        schema.splice(schema.findIndex((name) => name.startsWith(added))),
      );
      const restored = await emptyIndex();
      await restore(old, restored);
      expect(await rowsOf(restored.client)).toEqual(await rowsOf(index.client));
      await restored.index(chain.blocks);
      expect(await findViolations(restored.client)).toEqual({});
      const { rows } = await restored.client.query(
        `SELECT has_details, EXISTS (SELECT FROM daily_fees) AS has_fees, EXISTS (SELECT FROM daily_statistics) AS has_statistics, height
       FROM head`,
      );
      const hasDetails = remove === '';
      expect(rows).toEqual([
        { has_details: hasDetails, has_fees: hasDetails, has_statistics: false, height: BLOCKS },
      ]);
    },
  );

  it('is restored to an index that announces its head and continues', async () => {
    const short = await indexOf({ ...chain, blocks: chain.blocks.slice(0, 103) });
    open.push(short);
    const path = file('short');
    await createSnapshot(short.url, path);
    const index = await emptyIndex();
    const heard = new Promise((resolve) =>
      index.client.on('notification', ({ payload }) => resolve(payload)),
    );
    await index.client.query('LISTEN head');
    await restore(path, index);
    expect(await heard).toBe(`103:${chain.blocks[102]!.id}`);
    const { rows } = await index.client.query<{ data: { height: number } }>('SELECT data FROM events');
    expect(rows.map(({ data }) => data.height)).toEqual([103]);
    await index.index(chain.blocks);
    expect(await index.snapshot()).toEqual(await original.snapshot());
  });

  it('of an index without history is restored to one without', async () => {
    const none = await indexOf(chain, false);
    open.push(none);
    await createSnapshot(none.url, file('none'));
    const index = await emptyIndex();
    await restore(file('none'), index);
    expect(await rowsOf(index.client)).toEqual(await rowsOf(none.client));
    expect((await index.client.query('SELECT has_history FROM head')).rows).toEqual([{ has_history: false }]);
    await rm(file('none'), { recursive: true });
  });

  it('of a chain whose exceptions list blocks with wrong headers is made and restored, and says what differs of other blocks', async () => {
    const [wrong, empty] = chain.blocks.filter(({ transactions }) => transactions.length > 0).slice(-2);
    const blocks = chain.blocks.slice(0, empty!.height).map((block) => {
      if (block === wrong) return { ...block, numberOfTransactions: 99, totalFee: block.totalFee + 1n };
      return block === empty ? { ...block, transactions: [] } : block;
    });
    const exceptions = { ...chain.network.exceptions, blocks: [wrong!.id, empty!.id] };
    const index = await indexOf({ network: { ...chain.network, exceptions }, blocks });
    open.push(index);
    await createSnapshot(index.url, file('excepted'));
    const restored = await emptyIndex();
    await restore(file('excepted'), restored);
    expect(await rowsOf(restored.client)).toEqual(await rowsOf(index.client));
    const refused = async (damage: string, says: RegExp): Promise<void> => {
      await index.client.query(damage);
      await expect(createSnapshot(index.url, file('refused'))).rejects.toThrow(says);
    };
    await refused(
      'UPDATE daily_statistics SET fees = fees + 1 WHERE day = (SELECT max(day) FROM daily_statistics)',
      /daily_statistics sums up to fees \d+, but \d+ is right\. No snapshot/,
    );
    await refused(
      `UPDATE network SET configuration = configuration - 'exceptions'`,
      /The blocks have \d+ transactions, but \d+ are stored/,
    );
  });

  it('of the proven end of a chain is restored to an index that has the end, but is not proven', async () => {
    const ended = await indexOf(other);
    open.push(ended);
    const end = `UPDATE network SET final_height = head.height, final_id = head.block_id, proven_at = now() FROM head`;
    await ended.client.query(end);
    await createSnapshot(ended.url, file('ended'));
    const index = await emptyIndex();
    await restore(file('ended'), index);
    const { height, id } = other.blocks.at(-1)!;
    expect(await readChainEnd(index.client)).toEqual({ height, id, provenAt: null, problem: null });
  });

  it('is restored to an index that can undo as many blocks as the first one', async () => {
    const [index, undone] = [await emptyIndex(), await indexOf(chain)];
    open.push(undone);
    await restore(whole, index);
    for (const each of [index, undone]) await each.apply.undoTo(created.manifest.lowestUndo + 20);
    expect(await index.snapshot()).toEqual(await undone.snapshot());
  });

  it('is made of one moment, while a writer goes on', async () => {
    const growing = await indexOf({ ...chain, blocks: chain.blocks.slice(0, 90) });
    open.push(growing);
    const before = await growing.snapshot();
    const blocker = new pg.Client({ connectionString: growing.url });
    await blocker.connect();
    // It reads the network after its moment is fixed; a writer does not.
    await blocker.query('BEGIN; LOCK TABLE network');
    const making = createSnapshot(growing.url, file('growing'), { rangeHeights });
    const isWaiting = async (): Promise<boolean> =>
      (
        await blocker.query(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'network'::regclass AND ${IN_THIS_DATABASE}`,
        )
      ).rowCount! > 0;
    while (!(await isWaiting())) await wait(10);
    await growing.index(chain.blocks);
    await blocker.end();
    expect((await making).manifest.head.height).toBe(90);
    const index = await emptyIndex();
    await restore(file('growing'), index);
    expect(await index.snapshot()).toEqual(before);
    expect(await growing.snapshot()).toEqual(await original.snapshot());
  });

  it('reports the progress of making, checking, loading and building, up to the end', async () => {
    const seen: Record<string, [number, number][]> = { written: [], bytes: [], rows: [], tables: [] };
    const note =
      (what: string) =>
      (done: number, of: number): void => {
        seen[what]!.push([done, of]);
      };
    await createSnapshot(original.url, file('progress'), { onRows: note('written'), rangeHeights });
    const events = { onBytes: note('bytes'), onRows: note('rows'), onTables: note('tables') };
    await restore(file('progress'), await emptyIndex(), { events });
    for (const steps of Object.values(seen)) {
      expect(steps.length).toBeGreaterThan(5);
      const [done, of] = steps.at(-1)!;
      expect(done).toBe(of);
    }
  });

  describe('that is damaged', () => {
    const spoil = async (path: string, share: number): Promise<void> => {
      const bytes = await readFile(path);
      const at = Math.min(Math.floor(bytes.length * share), bytes.length - 1);
      bytes[at] = bytes[at]! ^ 0x10;
      await writeFile(path, bytes);
    };

    it.each([0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1])(
      'by one byte of its one file, at %d of its length, is refused before a table is touched',
      async (share) => {
        await copyFile(oneFile, file('damaged.tar'));
        await spoil(file('damaged.tar'), share);
        await expectRefusal(file('damaged.tar'), /is damaged|is truncated/);
      },
    );

    it.each([0.2, 0.6, 0.95, 0.999])(
      'because its one file is cut off at %d of its length is refused',
      async (share) => {
        await copyFile(oneFile, file('cut.tar'));
        await truncate(file('cut.tar'), Math.floor((await readFile(oneFile)).length * share));
        await expectRefusal(file('cut.tar'), /is truncated: it ends at byte \d+.*Copy it again/);
      },
    );

    it('in any of its files is refused', async () => {
      const [part] = partsOf(created.manifest);
      for (const [name, says] of [
        [
          part!.name,
          /damaged is damaged: .* does not have the checksum that the manifest states. Copy it again/,
        ],
        [MANIFEST, /damaged is damaged: its manifest does not have its checksum/],
      ] as const) {
        await cp(whole, file('damaged'), { recursive: true });
        await spoil(join(file('damaged'), name), 0.5);
        await expectRefusal(file('damaged'), says);
      }
      await rm(file('damaged'), { recursive: true });
    });

    it('because a part is missing is refused', async () => {
      await rewrite(whole, file('gap'), (manifest, files) => {
        const blocks = manifest.tables.find(({ name }) => name === 'blocks')!;
        files.delete(blocks.parts[0]!.name);
      });
      await expectRefusal(file('gap'), /blocks\/000000001-000000020-\w+\.copy\.gz is missing/);
    });
  });

  describe('that is foreign', () => {
    it.each([
      ['nothing', Buffer.alloc(0)],
      ['a text', Buffer.from('{"height":1}\n'.repeat(100))],
      ['zeros', Buffer.alloc(4096)],
    ])('because it is %s is refused', async (_, bytes) => {
      await writeFile(file('foreign.tar'), bytes);
      await expectRefusal(file('foreign.tar'), /foreign\.tar is no snapshot of an index/);
    });

    it('because it has no manifest is refused', async () => {
      await mkdir(file('others'));
      await writeFile(join(file('others'), 'README'), 'hello');
      await expectRefusal(file('others'), /others is no snapshot of an index/);
      await expectRefusal(tarred(file('others')), /others\.tar is no snapshot of an index/);
    });

    it('because it does not exist is refused', async () => {
      await expectRefusal(file('absent'), /absent cannot be read \(ENOENT/);
      await expectRefusal('/dev/null', /cannot be read \(it is neither a folder nor a file\)/);
    });

    it('because a newer version made the format is refused', async () => {
      await rewrite(whole, file('newer'), (manifest) => Object.assign(manifest, { version: 3 }));
      await expectRefusal(file('newer'), /has version 3 of the format/);
    });

    it('because its tables are of a newer or an older version is refused', async () => {
      await rewrite(whole, file('newer'), ({ schema }) => schema.push('AddMoons1999999999999'));
      await expectRefusal(file('newer'), /newer version of Roundhouse \(it has the migration AddMoons1/);
      await rewrite(whole, file('obsolete'), ({ schema }) => schema.unshift('CreateTables1764070000000'));
      await expectRefusal(file('obsolete'), /is of an index of an older version, .*, or index again/);
      await rewrite(whole, file('older'), ({ schema, tables }) => {
        schema.pop();
        tables.pop();
      });
      await expectRefusal(
        file('older'),
        /older version of Roundhouse, with other tables \(.*indexer migrate/,
      );
      await rewrite(whole, file('columns'), ({ tables }) => tables[1]!.columns.pop());
      await expectRefusal(file('columns'), /older version of Roundhouse, with other tables/);
    });

    it('because it is of another chain than NETWORK or the database is refused', async () => {
      await expectRefusal(whole, /has nethash .*NETWORK|NETWORK .* has nethash/, undefined, other.network);
      const claimed = await emptyIndex();
      await claimNetwork(claimed.client, other.network);
      await expectRefusal(whole, /but the database has nethash/, claimed);
    });
  });

  it('whose rows are not those of its digests is refused, and nothing is committed', async () => {
    const foreign = await indexOf({ ...chain, blocks: chain.blocks.slice(0, 159) });
    open.push(foreign);
    await createSnapshot(foreign.url, file('theirs'));
    const { manifest: theirs } = await opened(file('theirs'));
    const theirParts = new Map<string, Buffer>();
    await rewrite(file('theirs'), file('unused'), (_, parts) =>
      parts.forEach((part, name) => theirParts.set(name, part)),
    );
    for (const [table, says] of [
      ['accounts', /rows of accounts, delegates and locks are not those of block 160/],
      ['undo_accounts', /do not give the digest of round/],
      ['blocks', /The block at height 160 is not the head/],
      ['transactions', /The blocks have \d+ transactions, but \d+ are stored/],
      ['head', /The head is not block 160/],
      ['state_sums', /rows of accounts, delegates and locks are not those of block 160/],
      ['history_balances', /history_balances is not the history of the rows at the head: \d+ rows differ/],
      ['history_delegates', /history_delegates is not the history of the rows at the head: \d+ rows differ/],
      ['history_weights', /history_weights is not the history of the rows at the head: \d+ rows differ/],
    ] as const) {
      await rewrite(whole, file('mixed'), ({ tables }, parts) => {
        const [ours, own] = [tables, theirs.tables].map((all) => all.find(({ name }) => name === table)!);
        const renamed = own!.parts.map((part) => ({ ...part, name: `theirs-${part.name}` }));
        for (const part of own!.parts) parts.set(`theirs-${part.name}`, theirParts.get(part.name)!);
        Object.assign(ours!, { rows: own!.rows, parts: renamed });
      });
      const index = await emptyIndex();
      const before = await filesOf(index.client);
      const refused = expect(restore(file('mixed'), index)).rejects;
      await refused.toMatchObject({
        code: 'OPERATOR',
        message: expect.stringMatching(new RegExp(`${says.source}.*Nothing is restored`)),
      });
      await expectUntouched(index, before);
    }
  });

  it('whose certificate is forged with all its leaves is refused', async () => {
    const { client } = original;
    const { rows } = await client.query<{ leaves: string[] }>('SELECT leaves FROM certificate_pages');
    const leaves = rows[0]!.leaves.map((leaf, place) =>
      place === 3 ? leaf.replace(/\t(?=\d+\t)/, '\t1') : leaf,
    );
    const root = bytesOfHash(merkleRoot(leaves.map(leafHash)));
    await client.query('BEGIN');
    await client.query('UPDATE certificate_pages SET leaves = $1, root = $2', [leaves, root]);
    const text = `UPDATE certificates SET document = regexp_replace(document, '"root":"\\w+"', '"root":"' || $1 || '"')`;
    await client.query(text, [root.toString('hex')]);
    const forged = new Map<string, Buffer>();
    for (const { name, columns } of SNAPSHOT_TABLES.filter((table) => table.name.startsWith('certificate')))
      forged.set(name, await dumpOf(client, `SELECT ${namesOf(columns)} FROM ${name}`));
    await client.query('ROLLBACK');
    await rewrite(whole, file('forged'), ({ tables }, files) => {
      for (const [name, bytes] of forged) {
        const part = {
          name: `${name}/forged.copy.gz`,
          rows: 1,
          bytes: bytes.length,
          sha256: sha256Of(bytes),
        };
        files.set(part.name, bytes);
        Object.assign(
          tables.find((table) => table.name === name)!,
          { parts: [part] },
        );
      }
    });
    const says = /At height 160, page 0 of the certificate's leaves is damaged.*Nothing is restored/;
    await expect(restore(file('forged'), await emptyIndex())).rejects.toThrow(says);
  });

  /** The server may still be ending the sessions that were cut off. */
  const expectUntouched = async (index: ApplyHarness, before: readonly string[]): Promise<void> => {
    const sessions = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    while ((await index.client.query(sessions)).rowCount! > 0) await wait(10);
    expect(await filesOf(index.client)).toEqual(before);
  };

  describe('whose restore is interrupted', () => {
    it.each(['blocks', 'transactions', 'accounts'])(
      'while %s are loaded leaves the database as it was, and is repeated',
      async (table) => {
        const index = await emptyIndex();
        const before = await filesOf(index.client);
        const cut = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = '${table}'::regclass AND ${IN_THIS_DATABASE}
          AND mode = 'AccessExclusiveLock'`;
        // Another connection may load its first rows before this one has locked its table.
        const cutOff = async (): Promise<void> => {
          while ((await index.client.query(cut)).rowCount === 0) await wait(1);
        };
        const cuts: Promise<void>[] = [];
        const events = {
          ...SILENT,
          onRows: () => void (cuts.length === 0 && cuts.push(cutOff())),
        };
        await expect(restore(whole, index, { events })).rejects.toThrow();
        await cuts[0];
        await expectUntouched(index, before);
        await restore(whole, index);
        expect(await index.snapshot()).toEqual(await original.snapshot());
      },
    );

    it('between its commits is repeated, and no indexer can write meanwhile', async () => {
      const index = await emptyIndex();
      await restore(whole, index);
      await index.client.query('TRUNCATE head, accounts, locks');
      await expect(index.index(chain.blocks)).rejects.toMatchObject({ code: '23505' });
      await index.client.query('ROLLBACK');
      await restore(whole, index);
      expect(await rowsOf(index.client)).toEqual(await rowsOf(original.client));
    });
  });

  it('is restored into an empty index only', async () => {
    const full = await indexOf(other);
    open.push(full);
    await expectRefusal(whole, /The index is at height 60 already.*indexer reset --yes/, full);
    await full.client.query('DELETE FROM head');
    await expectRefusal(whole, /hold blocks up to height 60, but no head.*"indexer rebuild"/, full);
  });

  it.each([
    ['indexer', /^An indexer is writing to this database: stop it first\.$/],
    ['snapshot restore', /^"indexer snapshot restore" is writing to this database: wait until it has ended/],
    ['rebuild', /^"indexer rebuild" is writing to this database: wait/],
  ] as const)(
    'is not restored while another writer (%s) holds the lock, and is told which',
    async (writer, says) => {
      const index = await emptyIndex();
      const lock = await takeWriterLock(index.url, writer);
      await expectRefusal(whole, says, index);
      await lock.release();
    },
  );

  describe('is not made', () => {
    const expectNone = async (index: ApplyHarness, says: RegExp, path = file('none')): Promise<void> => {
      const before = await readdir(folder);
      const made = expect(createSnapshot(index.url, path)).rejects;
      await made.toMatchObject({ code: 'OPERATOR', message: expect.stringMatching(says) });
      expect(await readdir(folder)).toEqual(before);
    };

    it('of an empty index', async () => {
      await expectNone(await emptyIndex(), /The index is empty/);
    });

    it.each(['public_keys', 'addresses'])('of an index without some numbers in %s', async (table) => {
      const index = await indexOf(chain);
      open.push(index);
      await index.client.query(`DELETE FROM ${table} WHERE number = 2`);
      await expectNone(index, /has \d+ numbers up to \d+, but the blocks mention.*"indexer verify" lists/);
    });

    it('of an index whose rows are not those of its digests', async () => {
      const index = await indexOf(chain);
      open.push(index);
      await index.client.query(`UPDATE accounts SET balance = balance + 1`);
      await expectNone(index, /are not those of block 160.*"indexer verify" lists what is wrong/);
      await index.client.query('DELETE FROM state_sums');
      await expectNone(index, /The sums of the state at block 160 are missing.*"indexer rebuild"/);
    });

    it.each([
      ['history_balances', 'DELETE FROM history_balances WHERE height = 160'],
      ['history_balances', 'UPDATE history_balances SET locked = locked + 1'],
      [
        'history_balances',
        'INSERT INTO history_balances SELECT balance, locked, account, 161 FROM history_balances WHERE height = 160',
      ],
      ['history_balances', 'INSERT INTO history_balances VALUES (0, 0, 1000, 5)'],
      ['history_delegates', 'DELETE FROM history_delegates WHERE delegate = 3'],
      ['history_delegates', 'UPDATE history_delegates SET missed_blocks = missed_blocks + 1'],
      ['history_weights', 'DELETE FROM history_weights WHERE height > 120'],
      ['history_weights', 'UPDATE history_weights SET weights[1] = weights[1] + 1'],
      ['history_weights', `INSERT INTO history_weights VALUES (161, '{}', '{}')`],
      [
        'history_weights',
        `UPDATE history_weights SET delegates = '{1, 1000}', weights = '{0, 0}' WHERE height = 2`,
      ],
      ['history_rankings', 'DELETE FROM history_rankings WHERE height > 150'],
      ['history_votes', `UPDATE history_votes SET until_height = 150 WHERE until_height = 2147483647`],
      ['history_votes', `UPDATE history_votes SET vote = '\\x02'`],
    ])('of an index whose %s does not end with the state: %s', async (table, statement) => {
      const index = await indexOf(chain);
      open.push(index);
      expect((await index.client.query(statement)).rowCount).not.toBe(0);
      await expectNone(
        index,
        new RegExp(`${table} is not the history of the rows at the head: \\d+ rows differ`),
      );
    });

    it('of an index whose accounts have other numbers, or that has history and says that it has none', async () => {
      const index = await indexOf(chain);
      open.push(index);
      await index.client.query('UPDATE head SET has_history = false');
      await expectNone(index, /has no history, but history_balances has \d+ rows.*"indexer rebuild"/);
      await index.client.query('UPDATE accounts SET number = 1000 WHERE number = 2');
      await expectNone(index, /accounts are not numbered from 1 without gaps/);
    });

    it('as one file, over files that are there, or where nothing can be written', async () => {
      await expectNone(original, /written into a folder: run ".*whole", then "tar -cf /, oneFile);
      await mkdir(file('taken'));
      await writeFile(join(file('taken'), 'README'), 'hello');
      await expectNone(original, /taken holds files, but no snapshot: name a new folder/, file('taken'));
      await expectNone(original, /x cannot be written \(ENOTDIR/, `${oneFile}/x`);
    });
  });
});
