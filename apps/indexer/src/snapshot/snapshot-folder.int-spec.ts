import { execFileSync } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { lockFolder } from '@roundhouse/local-postgres';
import { claimNetwork, makeCertificate, rebuildIndex } from '@roundhouse/storage';
import { randomChain, type RandomChain } from '@roundhouse/testing';
import { Client } from 'pg';
import { ApplyHarness } from '../apply/apply.harness.js';
import { MANIFEST } from '../files/filled-folder.js';
import { createSnapshot, type CreatedSnapshot } from './create-snapshot.js';
import { partsOf, SIGNATURE } from './manifest.js';
import { parsePublicKey, parseSecretKey, type SecretKey } from './minisign.js';
import { restoreSnapshot } from './restore-snapshot.js';
import { SnapshotFile } from './snapshot-file.js';

const chain = randomChain({ seed: 20_261_126, blocks: 150 });
const UNDO_DEPTH = 30;
const rangeHeights = 20;

const PUBLIC = 'RWSVCKKJqplUiz1B0XjnGRz2qMu4Xihk0kVUnRihtG9BHjMlZU/MYAAt';
const OTHER = 'RWSEdFuMmPqXdjFEVxJiwJoPhstY1a/R7SVnRbITdIIOWQpA55yqLril';
const SECRET = `untrusted comment: minisign encrypted secret key
RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlQiiiaqZVIvCern5WDIcP7I62l7iZY/a4m/oRsqSe5JCoEVk4SYcDj1B0XjnGRz2qMu4Xihk0kVUnRihtG9BHjMlZU/MYAAtAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
`;

const SILENT = { onBytes: () => undefined, onRows: () => undefined, onTables: () => undefined };

/** Each file with its contents. */
const filesIn = async (path: string): Promise<Record<string, string>> => {
  const files: Record<string, string> = {};
  for (const name of await readdir(path, { recursive: true }))
    if ((await stat(join(path, name))).isFile()) files[name] = await readFile(join(path, name), 'latin1');
  return files;
};

describe('the folder of a snapshot', () => {
  const open: ApplyHarness[] = [];
  let folder: string;
  let original: ApplyHarness;
  /** The snapshot of `original`, made into an empty folder. */
  let whole: string;
  let created: CreatedSnapshot;
  let key: SecretKey;

  const file = (name: string): string => join(folder, name);

  const indexOf = async ({ network, blocks }: RandomChain, undoDepth = UNDO_DEPTH): Promise<ApplyHarness> => {
    const index = await ApplyHarness.create(network, { keepsHistory: true, undoDepth });
    open.push(index);
    await claimNetwork(index.client, network);
    await index.index(blocks);
    return index;
  };

  const make = (index: ApplyHarness, path: string): Promise<CreatedSnapshot> =>
    createSnapshot(index.url, path, { rangeHeights });

  const inspect = async (path: string, trusted: string | null = null): Promise<string | null> => {
    const snapshot = await SnapshotFile.open(path, trusted === null ? null : parsePublicKey(trusted));
    try {
      await snapshot.check(() => undefined);
      return snapshot.signed;
    } finally {
      await snapshot.close();
    }
  };

  const refused = async (work: Promise<unknown>, says: RegExp): Promise<void> => {
    await expect(work).rejects.toMatchObject({ code: 'OPERATOR', message: expect.stringMatching(says) });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-folder-'));
    key = (await parseSecretKey(SECRET)) as SecretKey;
    whole = file('whole');
    original = await indexOf(chain);
    open.pop();
    created = await make(original, whole);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((index) => index.close()));
  });

  afterAll(async () => {
    await original.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Makes one file of a folder as the message says that refuses to write one. */
  const packed = async (path: string): Promise<string> => {
    const refusal = await make(original, `${path}.tar`).then(
      () => '',
      (error: Error) => error.message,
    );
    const [, makes, command, options] = /run "(.*)", then "(tar) (.*)", which/.exec(refusal)!;
    expect(makes).toBe(`indexer snapshot create --file ${path}`);
    execFileSync(command!, options!.split(' '));
    return `${path}.tar`;
  };

  it('has the same bytes each time, passes sha256sum, and is one file if tar makes it', async () => {
    await make(original, file('again'));
    expect(await filesIn(file('again'))).toEqual(await filesIn(whole));
    expect(await make(original, whole)).toMatchObject({ bytes: created.bytes, newBytes: 0 });
    expect(await filesIn(whole)).toEqual(await filesIn(file('again')));
    execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: whole });
    expect(await inspect(await packed(whole))).toBeNull();
  });

  it('has the same bytes if another index of the chain, or a restored one, makes it', async () => {
    const other = await indexOf({ ...chain, blocks: chain.blocks.slice(0, 141) });
    await other.apply.undoTo(131);
    await other.index(chain.blocks.slice(0, 138));
    await other.index(chain.blocks);
    await make(other, file('other'));
    const restored = await ApplyHarness.create(chain.network);
    open.push(restored);
    const snapshot = await SnapshotFile.open(whole);
    await restoreSnapshot(restored.url, snapshot, null, SILENT);
    await make(restored, file('restored'));
    const expected = await filesIn(whole);
    expect(await filesIn(file('restored'))).toEqual(expected);
    // Undoing has left fewer before-images.
    const ofUndo = /^(undo_\w+|state_sums|rankings|round_candidates)\//;
    const lasting = (files: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(files).filter(([name]) => name.includes('/') && !ofUndo.test(name)));
    expect(lasting(await filesIn(file('other')))).toEqual(lasting(expected));
  });

  it('gets only new parts from the next snapshot, also across a fork, and is then as a new one', async () => {
    const path = file('next');
    const index = await indexOf({ ...chain, blocks: chain.blocks.slice(0, 97) });
    const first = await make(index, path);
    expect(first.manifest.final).toMatchObject({ height: 60 });
    await index.apply.undoTo(70);
    await make(index, path);
    await index.index(chain.blocks);
    const stamps = async (): Promise<Map<string, number>> =>
      new Map(
        await Promise.all(
          partsOf(first.manifest).map(async ({ name }): Promise<[string, number]> => [
            name,
            (await stat(join(path, name)).catch(() => null))?.mtimeMs ?? 0,
          ]),
        ),
      );
    const before = await stamps();
    const next = await make(index, path);
    const kept = partsOf(first.manifest).filter(({ to = Infinity }) => to <= 60);
    expect(kept.length).toBeGreaterThan(20);
    const after = await stamps();
    for (const { name } of kept) expect([name, after.get(name)]).toEqual([name, before.get(name)]);
    expect(next.newBytes).toBeLessThan(next.bytes - 1_000);
    await make(index, file('fresh'));
    expect(await filesIn(path)).toEqual(await filesIn(file('fresh')));
  });

  it('gets only the new parts if certificates were made between two snapshots, and is restored with them', async () => {
    const path = file('certified');
    const index = await indexOf(chain);
    await makeCertificate(index.client, 100);
    const first = await make(index, path);
    const before = await filesIn(path);
    await makeCertificate(index.client, 55);
    await makeCertificate(index.client);
    const { manifest, newBytes } = await make(index, path);
    const known = new Set(partsOf(first.manifest).map(({ name }) => name));
    const added = partsOf(manifest).filter(({ name }) => !known.has(name));
    // Of the heights 41 to 60, and of those that a fork can still undo.
    expect(added.map(({ name, from }) => [name.split('/')[0], from])).toEqual([
      ['certificates', 41],
      ['certificates', 121],
      ['certificate_pages', 41],
      ['certificate_pages', 121],
    ]);
    expect(newBytes).toBe(added.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(manifest).toMatchObject({ sums: first.manifest.sums, digest: first.manifest.digest });
    for (const name of known) expect((await filesIn(path))[name]).toBe(before[name]);
    const restored = await ApplyHarness.create(chain.network);
    open.push(restored);
    await restoreSnapshot(restored.url, await SnapshotFile.open(path), null, SILENT);
    const documents = 'SELECT height, document FROM certificates ORDER BY height';
    const { rows } = await restored.client.query<{ height: number }>(documents);
    expect(rows.map(({ height }) => height)).toEqual([55, 100, 150]);
    expect(rows).toEqual((await index.client.query(documents)).rows);
    const again = await make(restored, file('certified-again'));
    expect(again.manifest).toMatchObject({ sums: manifest.sums, digest: manifest.digest });
    expect(await filesIn(file('certified-again'))).toEqual(await filesIn(path));
  });

  it('goes on after an interruption with the parts that are complete', async () => {
    const path = file('interrupted');
    const blocked = createSnapshot(original.url, path, {
      rangeHeights,
      onRows: (done, of) => {
        if (done < of / 2) return;
        throw new Error('stopped');
      },
    });
    await expect(blocked).rejects.toThrow('stopped');
    expect(await readdir(path)).toContain('unfinished.json');
    await refused(inspect(path), /interrupted is no snapshot/);
    const { newBytes, bytes } = await make(original, path);
    expect(newBytes).toBeLessThan(bytes);
    expect(await filesIn(path)).toEqual(await filesIn(whole));
    const stopped = (done: number, of: number): void => {
      if (done === of) throw new Error('stopped');
    };
    await expect(createSnapshot(original.url, path, { rangeHeights, onRows: stopped })).rejects.toThrow(
      'stopped',
    );
    await inspect(path);
  });

  it('gets a part again that is missing or damaged', async () => {
    const path = file('mended');
    await cp(whole, path, { recursive: true });
    const [missing, damaged] = partsOf(created.manifest).filter(({ to }) => to === 40);
    await rm(join(path, missing!.name));
    await truncate(join(path, damaged!.name), 10);
    await make(original, path);
    expect(await filesIn(path)).toEqual(await filesIn(whole));
  });

  it('is as a new one after its head was the last height of a part', async () => {
    const index = await indexOf(chain);
    const path = file('at-end');
    await index.apply.undoTo(120);
    expect((await make(index, path)).manifest).toMatchObject({
      head: { height: 120 },
      final: { height: 120 },
    });
    await index.index(chain.blocks);
    await make(index, path);
    await make(index, file('at-end-new'));
    expect(await filesIn(path)).toEqual(await filesIn(file('at-end-new')));
  });

  it('is as a new one after a rebuild has corrected rows', async () => {
    const index = await indexOf(chain);
    const path = file('rebuilt');
    await index.client.query(
      `UPDATE history_balances AS one SET balance = balance + 1
       WHERE EXISTS (SELECT FROM history_balances AS later WHERE later.account = one.account AND later.height > one.height)`,
    );
    await make(index, path);
    const client = new Client({ connectionString: index.url });
    await client.connect();
    const report = await rebuildIndex(client, { undoDepth: UNDO_DEPTH, keepsHistory: true });
    await client.end();
    expect(report).toMatchObject({ replaced: [{ table: 'history_balances' }] });
    await make(index, path);
    expect(await filesIn(path)).toEqual(await filesIn(whole));
  });

  it('is not continued with parts of another state of the blocks, or of another chain', async () => {
    const index = await indexOf(chain);
    const path = file('altered');
    await make(index, path);
    await index.client.query(`
      UPDATE head SET has_details = false;
      DELETE FROM daily_statistics;
      DELETE FROM transactions WHERE block_height = 1 AND sequence = 0;
      UPDATE blocks SET number_of_transactions = number_of_transactions - 1 WHERE height = 1`);
    await refused(make(index, path), /rows of transactions, but the index has .*Name another folder/);
    await make(index, file('altered-new'));
    await inspect(file('altered-new'));
    const foreign = await indexOf(randomChain({ seed: 8, blocks: 60 }));
    await refused(
      make(foreign, whole),
      /whole has a snapshot of the chain \S+ with nethash .*name another folder/,
    );
  });

  it('is written by one program at a time', async () => {
    const lock = await lockFolder(whole);
    await refused(make(original, whole), /whole cannot be written \(.*in use/);
    lock.release();
  });

  describe('with a signature', () => {
    it('is proven by the key that signed it, and only by that', async () => {
      const path = file('signed');
      await createSnapshot(original.url, path, { rangeHeights, key });
      const id = created.manifest.head.id;
      expect(await inspect(path, PUBLIC)).toMatch(
        new RegExp(`^by the trusted key 8B5499AA89A20895: snapshot of \\S+ at height 150, block ${id}$`),
      );
      expect(await inspect(path)).toBe('by the key 8B5499AA89A20895, not checked: name it with --trust');
      expect(await inspect(await packed(path), PUBLIC)).toMatch(/^by the trusted key/);
      await refused(
        inspect(path, OTHER),
        /signed is signed by the key 8B5499AA89A20895, not by the trusted key 7697FA988C5B7484/,
      );
      await refused(
        inspect(whole, PUBLIC),
        /whole is not signed, so it is not known to be of the trusted key/,
      );
      expect(await inspect(whole)).toBeNull();
    });

    it('stays whole and signed until all files of the next one are written', async () => {
      const path = file('replaced');
      const other = await indexOf({ ...chain, blocks: chain.blocks.slice(0, 149) });
      await createSnapshot(other.url, path, { rangeHeights, key });
      const before = await filesIn(path);
      // The last file cannot be written.
      await mkdir(join(path, `${SIGNATURE}.partial`));
      const failed = createSnapshot(original.url, path, { rangeHeights, key });
      await refused(failed, /replaced cannot be written/);
      expect(await filesIn(path)).toMatchObject(before);
      expect(await inspect(path, PUBLIC)).toMatch(/at height 149/);
      await rmdir(join(path, `${SIGNATURE}.partial`));
      await createSnapshot(original.url, path, { rangeHeights, key });
      expect(await inspect(path, PUBLIC)).toMatch(/at height 150/);
    });

    it('is refused if the manifest is another, although the checksums are right, or the signature is damaged', async () => {
      const path = file('forged');
      const other = await indexOf({ ...chain, blocks: chain.blocks.slice(0, 149) });
      await createSnapshot(original.url, path, { rangeHeights, key });
      const signature = await readFile(join(path, SIGNATURE), 'utf8');
      await make(other, path);
      expect(await readdir(path)).not.toContain(SIGNATURE);
      await writeFile(join(path, SIGNATURE), signature);
      await refused(
        inspect(path, PUBLIC),
        /^The manifest of .*forged is not what the trusted key .* has signed/,
      );
      await writeFile(join(path, SIGNATURE), signature.slice(0, 100));
      await refused(inspect(path, PUBLIC), /^The signature of .*forged is damaged/);
      expect(await readFile(join(path, MANIFEST), 'utf8')).toContain('"height": 149');
    });
  });
});
