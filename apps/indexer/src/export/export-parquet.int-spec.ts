import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Block, Network } from '@roundhouse/chain';
import { lockFolder } from '@roundhouse/local-postgres';
import { createBlockSource, loadNetwork } from '@roundhouse/source';
import {
  claimNetwork,
  makeCertificate,
  recordEndProof,
  settleChainEnd,
  writeChainEnd,
  type Partitioning,
} from '@roundhouse/storage';
import { readRecording, recordingFile } from '@roundhouse/testing';
import { ApplyHarness } from '../apply/apply.harness.js';
import type { Outcome } from './export-folder.js';
import { exportParquet } from './export-parquet.js';
import { queryParquet } from './parquet.harness.js';

/** It has blocks on four days before the last one. */
const RECORDING = 'core-3.9-full';
const HEAD = 352;
/** The last block of the last whole day. */
const LAST = 300;
const UNDO_DEPTH = 20;
const FINAL = HEAD - UNDO_DEPTH;

/** Of SHA256SUMS: no machine, no version of Node.js and no version of Roundhouse may change a byte. */
const SUM = 'f85e612acd1718ad77f1d90821ea75f34555e59fc429e9e194ccbac4dccbf14b';

const NEVER = new AbortController().signal;

interface FileEntry {
  readonly name: string;
  readonly sha256: string;
}

describe('indexer export --format parquet', () => {
  const indexes: ApplyHarness[] = [];
  let root: string;
  let network: Network;
  let blocks: readonly Block[];
  let index: ApplyHarness;
  /** Written in three runs, while the index grew. */
  let grown: string;
  /** Written by one run, from another index. */
  let whole: string;

  const at = (name: string): string => join(root, name);

  const indexTo = async (height: number, batchBlocks: number): Promise<ApplyHarness> => {
    const made = await ApplyHarness.create(network, { undoDepth: UNDO_DEPTH, batchBlocks });
    indexes.push(made);
    await claimNetwork(made.client, network);
    await made.index(blocks.slice(0, height));
    return made;
  };

  const exported = (
    from: ApplyHarness,
    path: string,
    { partition = 'day' }: { readonly partition?: Partitioning } = {},
    signal = NEVER,
  ): Promise<Outcome> => exportParquet(from.client, path, partition, signal);

  const filesOf = async (folder: string): Promise<FileEntry[]> => {
    const { files } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      files: FileEntry[];
    };
    return files;
  };

  const sumsOf = async (folder: string): Promise<string> => readFile(join(folder, 'SHA256SUMS'), 'utf8');

  const table = (name: string, folder = whole): string =>
    `read_parquet('${folder}/${name}/*/*.parquet', hive_partitioning = true)`;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'roundhouse-export-'));
    network = await loadNetwork(recordingFile(RECORDING, 'network.json'));
    const source = await createBlockSource({
      urls: `file:${recordingFile(RECORDING, 'chain.ndjson.gz')}`,
      network,
    });
    blocks = await source.blocks(1, HEAD);
    await source.close();
    [grown, whole] = [at('grown'), at('whole')];
    index = await indexTo(HEAD, 51);
    await exported(index, whole);
  });

  afterAll(async () => {
    await Promise.all(indexes.map((each) => each.close()));
    await rm(root, { recursive: true });
  });

  it('has the rows that the node itself had', async () => {
    interface Row extends Record<string, string | number | boolean | null> {
      readonly height: number;
      readonly block_height: number;
    }
    const expectRows = async (
      name: 'blocks' | 'transactions',
      height: 'height' | 'block_height',
      columns: string[],
    ): Promise<void> => {
      const theirs = readRecording<Row>(RECORDING, `core-database-${name}.ndjson.gz`)
        .filter((row) => row[height] <= LAST)
        .map((row) => columns.map((column) => row[column] ?? null).map(textOf));
      const ours = await queryParquet(`SELECT ${columns.join(', ')} FROM ${table(name)}`);
      expect(ours.map((row) => row.map(textOf)).sort()).toEqual(theirs.sort());
    };
    const textOf = (value: string | number | bigint | boolean | null): string | null =>
      value === null ? null : String(value);
    await expectRows('blocks', 'height', [
      'height',
      'id',
      'version',
      'timestamp',
      'previous_block',
      'number_of_transactions',
      'total_amount',
      'total_fee',
      'reward',
      'payload_length',
      'payload_hash',
      'generator_public_key',
    ]);
    await expectRows('transactions', 'block_height', [
      'block_height',
      'sequence',
      'id',
      'block_id',
      'version',
      'timestamp',
      'sender_public_key',
      'recipient_id',
      'type',
      'type_group',
      'amount',
      'fee',
    ]);
    const rounds = readRecording<{ round: number; public_key: string; balance: bigint }>(
      RECORDING,
      'core-database-rounds.ndjson.gz',
    ).filter(({ round }) => round <= Math.floor(LAST / 51));
    expect(
      (await queryParquet(`SELECT round, public_key, balance FROM ${table('rounds')}`))
        .map((row) => row.map(textOf))
        .sort(),
    ).toEqual(rounds.map((row) => [row.round, row.public_key, row.balance].map(textOf)).sort());
  });

  it('has the sums of the index, and each block on its day', async () => {
    const { rows } = await index.client.query<{ sums: string[] }>(
      `SELECT ARRAY[count(*), sum(b.reward), sum(coalesce(b.total_fee, 0)),
         (SELECT count(*) FROM transactions WHERE block_height <= ${LAST}),
         (SELECT sum(amount) FROM transactions WHERE block_height <= ${LAST}),
         (SELECT sum((payment ->> 1)::numeric) FROM transactions, json_array_elements(asset -> 'payments') AS payment
          WHERE type = 6 AND type_group = 1 AND block_height <= ${LAST}),
         (SELECT sum(octet_length(vendor_field)) FROM transactions WHERE block_height <= ${LAST})]::text[] AS sums
       FROM blocks b WHERE height <= ${LAST}`,
    );
    const [sums] = await queryParquet(
      `SELECT count(*), sum(reward), sum(total_fee), (SELECT count(*) FROM ${table('transactions')}),
         (SELECT sum(amount) FROM ${table('transactions')}), (SELECT sum(amount) FROM ${table('payments')}),
         (SELECT sum(octet_length(vendor_field)) FROM ${table('transactions')}) FROM ${table('blocks')}`,
    );
    expect(sums!.map(String)).toEqual(rows[0]!.sums);
    for (const name of ['blocks', 'transactions', 'payments', 'rounds'])
      expect(
        await queryParquet(`SELECT count(*) > 0, bool_and("time"::date = day) FROM ${table(name)}`),
      ).toEqual([[true, true]]);
  });

  it('has 100,000 blocks in each partition by heights, and the same rows as by days', async () => {
    const folder = at('heights');
    const long = await indexTo(HEAD, 51);
    // As if the chain had gone on without transactions, and nothing could be undone.
    await long.client.query(`
      INSERT INTO blocks (height, id, version, timestamp, reward, generator, block_signature)
      SELECT place, int8send(10000000000 + place), version, timestamp + place - height, reward, generator, block_signature
      FROM blocks, generate_series(${HEAD} + 1, 100001) AS place WHERE height = ${HEAD};
      UPDATE head SET height = 100001, block_id = (SELECT id FROM blocks WHERE height = 100001);
      DELETE FROM undo_accounts`);
    await exported(long, folder, { partition: 'heights' });
    expect((await filesOf(folder)).map(({ name }) => name)).toEqual(
      ['blocks', 'payments', 'rounds', 'transactions'].map((name) => `${name}/from_height=1/${name}.parquet`),
    );
    expect(
      await queryParquet(
        `SELECT DISTINCT from_height, count(*), min(height), max(height) FROM ${table('blocks', folder)} GROUP BY 1`,
      ),
    ).toEqual([['1', '100000', 1, 100_000]]);
    const heights = {
      blocks: 'height',
      transactions: 'block_height',
      payments: 'block_height',
      rounds: 'last_height',
    };
    for (const [name, height] of Object.entries(heights)) {
      const byDays = `SELECT * EXCLUDE day FROM ${table(name)}`;
      const byHeights = `SELECT * EXCLUDE from_height FROM ${table(name, folder)} WHERE ${height} <= ${LAST}`;
      expect(
        await queryParquet(
          `SELECT (SELECT count(*) FROM (${byDays})) > 0, (SELECT count(*) FROM ((${byDays} EXCEPT ALL ${byHeights})
             UNION ALL (${byHeights} EXCEPT ALL ${byDays})))`,
        ),
      ).toEqual([[true, '0']]);
    }
  });

  it('is the same, byte for byte, from another index, in several runs, one of them interrupted', async () => {
    const growing = await indexTo(200, 7);
    await exported(growing, grown);
    const early = await filesOf(grown);
    expect(early.length).toBeGreaterThan(0);
    const times = await Promise.all(early.map(async ({ name }) => (await stat(join(grown, name))).ino));
    await growing.index(blocks);
    let pages = 0;
    const soon = {
      get aborted() {
        return (pages += 1) > 3;
      },
    } as AbortSignal;
    expect(await exported(growing, grown, {}, soon)).toMatchObject({ isWhole: false });
    expect(await filesOf(grown)).toEqual(early);
    expect(await exported(growing, grown)).toMatchObject({ isWhole: true });
    expect(await Promise.all(early.map(async ({ name }) => (await stat(join(grown, name))).ino))).toEqual(
      times,
    );
    expect(await filesOf(grown)).toEqual(await filesOf(whole));
    expect(await sumsOf(grown)).toBe(await sumsOf(whole));
    await promisify(execFile)('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: grown });
  });

  it('has the same bytes in every version', async () => {
    const { stdout } = await promisify(execFile)('sha256sum', [join(whole, 'SHA256SUMS')]);
    expect(stdout.split(' ')[0]).toBe(SUM);
  });

  it('has accounts and votes as they were after the block of each certificate that can no longer be undone', async () => {
    const folder = at('state');
    const stateFiles = async (): Promise<string[]> => {
      await exported(index, folder);
      return (await filesOf(folder))
        .map(({ name }) => name)
        .filter((name) => /^(accounts|votes)\//.test(name));
    };
    await makeCertificate(index.client, FINAL + 1);
    expect(await stateFiles()).toEqual([]);
    await makeCertificate(index.client, FINAL);
    await stateFiles();
    expect(await stateFiles()).toEqual(
      ['accounts', 'votes'].map((name) => `${name}/height=${FINAL}/${name}.parquet`),
    );
    const then = await indexTo(FINAL, 51);
    const inIndex = async (sql: string): Promise<unknown[][]> =>
      (await then.client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
    const inFiles = (sql: string): Promise<unknown[][]> => queryParquet(sql);
    expect(
      await inFiles(
        `SELECT address, public_key, balance, locked, nonce, vote, username, height FROM ${table('accounts', folder)} ORDER BY address`,
      ),
    ).toEqual(
      await inIndex(
        `SELECT a.address, encode(a.public_key, 'hex'), balance, locked, nonce::text, encode(vote, 'hex'), username, '${FINAL}'
         FROM accounts a LEFT JOIN delegates USING (address) ORDER BY a.address`,
      ),
    );
    expect(
      await inFiles(
        `SELECT delegate, sum(weight)::text FROM ${table('votes', folder)} GROUP BY 1 HAVING sum(weight) > 0 ORDER BY 1`,
      ),
    ).toEqual(
      await inIndex(`SELECT username, weight::text FROM delegates WHERE weight > 0 ORDER BY username`),
    );
    await index.client.query('DELETE FROM certificates; DELETE FROM certificate_pages');
  });

  it('has all blocks and the last state of a chain that has ended, and refuses to go on above them', async () => {
    const end = LAST - 10;
    const ended = await indexTo(end, 51);
    await writeChainEnd(ended.client, end);
    await settleChainEnd(ended.client, blocks[end - 1]!);
    await recordEndProof(ended.client, end);
    await makeCertificate(ended.client, end);
    const folder = at('ended');
    await exported(ended, folder);
    expect(
      await queryParquet(
        `SELECT max(height), (SELECT max(height) FROM ${table('accounts', folder)}) FROM ${table('blocks', folder)}`,
      ),
    ).toEqual([[end, String(end)]]);
    await writeChainEnd(ended.client, null);
    await ended.index(blocks);
    await expect(exported(ended, folder)).rejects.toThrow(
      /blocks\.parquet ends with the block 290, where the chain was said to end: export to another folder/,
    );
  });

  it('refuses a folder of another chain, another partition or anything else, and an index that lacks something', async () => {
    const refused = async (path: string, message: RegExp, options = {}): Promise<void> =>
      expect(exported(index, path, options)).rejects.toThrow(message);
    await refused(whole, /holds an export with another partition \(day, not heights\): name another folder/, {
      partition: 'heights',
    });
    await refused(root, /holds files, but no export: name a new folder or an empty one/);
    const lock = await lockFolder(whole);
    await refused(whole, /whole.* cannot be written \(.*in use/);
    lock.release();
    const begun = at('begun');
    await mkdir(begun);
    await writeFile(join(begun, 'manifest.json.part.partial'), '{');
    expect(await exported(index, begun)).toMatchObject({ isWhole: true });
    expect(await sumsOf(begun)).toBe(await sumsOf(whole));
    const manifest = join(grown, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    const changed = async (from: string, to: string, message: RegExp): Promise<void> => {
      expect(text).toContain(from);
      await writeFile(manifest, text.replaceAll(from, to));
      await refused(grown, message);
    };
    await changed(network.nethash, '0'.repeat(64), /with another chain/);
    await changed('"version": 1', '"version": 9', /with another version of the format \(9, not 1\)/);
    await changed(blocks[LAST - 1]!.id, '12', /has another block 300 than the index \(12\)/);
    await writeFile(manifest, text);
    const { name } = (await filesOf(grown))[0]!;
    await rm(join(grown, name));
    await refused(grown, /is missing: put it back, or export to another folder/);
    await index.client.query('UPDATE head SET has_details = false');
    await refused(at('old'), /does not have the weights of all rounds: run "indexer rebuild" first/);
    await index.client.query('UPDATE head SET has_details = true');
  });
});
