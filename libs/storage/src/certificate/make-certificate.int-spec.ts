import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  accountOfLeaf,
  bytesOfHash,
  leafHash,
  merkleRoot,
  PAGE_LEAVES,
  type CertifiedAccount,
} from '@roundhouse/chain';
import { eventually, randomChain } from '@roundhouse/testing';
import type { ClientBase } from 'pg';
import { rebuildIndex } from '../rebuild/rebuild-index.js';
import { recordEndProof, settleChainEnd, writeChainEnd } from '../status/chain-end.js';
import { readUndoReach } from '../writer/undo-reach.js';
import { verifyIndex } from '../verify/verify-index.js';
import { IndexedChain } from '../verify/indexed-chain.harness.js';
import { inTransaction } from '../writer/in-transaction.js';
import { undoTo } from '../writer/undo-to.js';
import { leavesAt } from './accounts-at.js';
import { makeCertificate } from './make-certificate.js';
import { listWrongCertificates } from './wrong-certificates.js';

const BLOCKS = 120;
const UNDO_DEPTH = 25;

const SELECT_WAITING = `
SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const accountsAt = (client: ClientBase, height: number): Promise<CertifiedAccount[]> =>
  inTransaction(client, async () => {
    const { select, values } = await leavesAt(client, height);
    const { rows } = await client.query<{ leaf: string }>(`${select} ORDER BY place`, [...values]);
    return rows.map(({ leaf }) => accountOfLeaf(leaf));
  });

const textAt = async (client: ClientBase, height?: number): Promise<string> =>
  (await makeCertificate(client, height)).text;

const heightsOf = async (client: ClientBase): Promise<number[]> => {
  const { rows } = await client.query<{ height: number }>(
    `SELECT height FROM certificates UNION SELECT height FROM certificate_pages ORDER BY height`,
  );
  return rows.map(({ height }) => height);
};

const undo = async (client: ClientBase, height: number): Promise<unknown> =>
  undoTo(client, (await readUndoReach(client))!.head, height);

describe.each([3, 20_170_321])('certificates of a random chain (seed %i)', (seed) => {
  const { network, blocks } = randomChain({ seed, blocks: BLOCKS });
  const create = (length: number, undoDepth: number, keepsHistory = false) =>
    IndexedChain.create(network, blocks.slice(0, length), undoDepth, keepsHistory);
  let index: IndexedChain;

  beforeAll(async () => {
    index = await create(BLOCKS, BLOCKS);
  });
  afterAll(() => index.close());

  it('are the same by before-images, by history, and in an index that ends at the height', async () => {
    const historic = await create(BLOCKS, UNDO_DEPTH, true);
    for (let height = 1; height <= BLOCKS; height += 7) {
      const expected = await accountsAt(index.client, height);
      expect(await accountsAt(historic.client, height)).toEqual(expected);
      expect(await textAt(historic.client, height)).toBe(await textAt(index.client, height));
    }
    const shorter = await create(64, 0);
    expect(await textAt(shorter.client)).toBe(await textAt(index.client, 64));
    await shorter.close();
    await historic.close();
  });

  it('count all accounts and transactions, and have the root of all leaves', async () => {
    const accounts = await accountsAt(index.client, 60);
    const leaves = accounts.map(({ address, publicKey, balance, locked, nonce, vote, username }) =>
      [address, publicKey, balance, locked, nonce, vote, username].map((value) => value ?? '').join('\t'),
    );
    const { rows } = await index.client.query('SELECT * FROM accounts WHERE number = 1');
    const [{ address, public_key: publicKey, nonce }] = rows as [Record<string, unknown>];
    expect((await accountsAt(index.client, BLOCKS)).filter((account) => account.address === address)).toEqual(
      [expect.objectContaining({ nonce, publicKey: (publicKey as Buffer).toString('hex') })],
    );
    const text = await textAt(index.client, 60);
    expect(JSON.parse(text)).toMatchObject({
      format: 'roundhouse certificate 1',
      network: network.name,
      nethash: network.nethash,
      height: 60,
      blockId: blocks[59]!.id,
      accounts: accounts.length,
      transactions: blocks.slice(0, 60).reduce((sum, { transactions }) => sum + transactions.length, 0),
      delegates: accounts.filter(({ username }) => username !== null).length,
      root: bytesOfHash(merkleRoot(leaves.map(leafHash))).toString('hex'),
    });
    const rewards = accounts.reduce((sum, { balance, locked }) => sum + balance + locked, 0n);
    expect(text).toContain(`"supply":${blocks[0]!.totalAmount + rewards},`);
  });
});

it('a certificate below an excepted block counts transactions, not what that states', async () => {
  const { network, blocks } = randomChain({ seed: 3, blocks: BLOCKS });
  const wrong = blocks.findLast(({ transactions }) => transactions.length > 0)!;
  const excepted = { ...network, exceptions: { ...network.exceptions, blocks: [wrong.id] } };
  const states = (block: (typeof blocks)[number]) =>
    block === wrong ? { ...block, numberOfTransactions: 99 } : block;
  const index = await IndexedChain.create(excepted, blocks.map(states), BLOCKS, false);
  const height = wrong.height - 1;
  expect(JSON.parse(await textAt(index.client, height))).toMatchObject({
    transactions: blocks.slice(0, height).reduce((sum, { transactions }) => sum + transactions.length, 0),
  });
  expect(await inTransaction(index.client, () => listWrongCertificates(index.client))).toEqual([]);
  await index.close();
});

describe('a certificate', () => {
  const { network, blocks } = randomChain({ seed: 3, blocks: BLOCKS });
  const create = (keepsHistory = false, keepsDetails = true) =>
    IndexedChain.create(network, blocks, UNDO_DEPTH, keepsHistory, keepsDetails);

  it('has the tree of RFC 6962 also over several pages, the last of which has an odd number of leaves', async () => {
    const index = await create();
    const { client } = index;
    const addAccounts = `
INSERT INTO accounts (number, address, balance, locked, nonce)
SELECT number, 'ä' || number, number, 0, 0 FROM generate_series(1001, 1000 + $1 - (SELECT count(*) FROM accounts)) AS number`;
    await client.query(addAccounts, [2 * PAGE_LEAVES + 7]);
    const { accounts, root } = JSON.parse(await textAt(client)) as { accounts: number; root: string };
    const { rows } = await client.query<{ leaves: string[]; root: Buffer }>(
      'SELECT leaves, root FROM certificate_pages ORDER BY page',
    );
    expect([accounts, ...rows.map(({ leaves }) => leaves.length)]).toEqual([
      2 * PAGE_LEAVES + 7,
      PAGE_LEAVES,
      PAGE_LEAVES,
      7,
    ]);
    const rootOver = (leaves: string[]) => bytesOfHash(merkleRoot(leaves.map(leafHash)));
    expect(rows.map((page) => page.root)).toEqual(rows.map(({ leaves }) => rootOver(leaves)));
    expect(root).toBe(rootOver(rows.flatMap(({ leaves }) => leaves)).toString('hex'));
    expect(await listWrongCertificates(client)).toEqual([]);
    await client.query('UPDATE certificate_pages SET root = $1 WHERE page = 1', [rows[0]!.root]);
    expect(await listWrongCertificates(client)).toMatchObject([
      { problem: "page 1 of the certificate's leaves is damaged" },
    ]);
    await index.close();
  });

  it('is removed with its block, and only then', async () => {
    const index = await create();
    const { client } = index;
    const head = await makeCertificate(client);
    const final = await makeCertificate(client, BLOCKS - UNDO_DEPTH);
    expect([head, final]).toMatchObject([
      { height: BLOCKS, isFinal: false },
      { height: BLOCKS - UNDO_DEPTH, isFinal: true },
    ]);
    await undo(client, BLOCKS - 1);
    expect(await heightsOf(client)).toEqual([BLOCKS - UNDO_DEPTH]);
    await undo(client, BLOCKS - UNDO_DEPTH);
    expect(await makeCertificate(client)).toEqual(final);
    await index.close();
  });

  it('that is being made when its block is undone is removed, too', async () => {
    const index = await create();
    await index.apart(async (holder) => {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE certificates IN EXCLUSIVE MODE');
      const areWaiting = (count: number) => async (): Promise<boolean> => {
        await holder.query('SELECT pg_stat_clear_snapshot()');
        return (await holder.query(SELECT_WAITING)).rowCount === count;
      };
      const made = makeCertificate(index.client, BLOCKS);
      await eventually('the certificate waits', areWaiting(1));
      const undone = index.apart((client) => undo(client, BLOCKS - 2));
      await eventually('undoing waits', areWaiting(2));
      await holder.query('COMMIT');
      await Promise.all([made, undone]);
    });
    expect(await heightsOf(index.client)).toEqual([]);
    await index.close();
  });

  const strays = async (index: IndexedChain) =>
    (await index.apart((client) => verifyIndex(client, { listed: 1 }))).strays;

  const DAMAGED = "page 0 of the certificate's leaves is damaged";
  const WRONG = 'the certificate is not what its block and its leaves give';

  /** Another balance, with roots that are right again. */
  const forge = async (client: ClientBase): Promise<void> => {
    const { rows } = await client.query<{ leaves: string[] }>('SELECT leaves FROM certificate_pages');
    const leaves = rows[0]!.leaves.map((leaf, place) =>
      place === 3 ? leaf.replace(/\t(?=\d+\t)/, '\t1') : leaf,
    );
    const root = bytesOfHash(merkleRoot(leaves.map(leafHash)));
    await client.query('UPDATE certificate_pages SET leaves = $1, root = $2', [leaves, root]);
    const text = `UPDATE certificates SET document = regexp_replace(document, '"root":"\\w+"', '"root":"' || $1 || '"')`;
    await client.query(text, [root.toString('hex')]);
  };

  it('is named if it is not what the index says', async () => {
    const index = await create();
    const { client } = index;
    await makeCertificate(client);
    const expectProblem = async (statement: string, height: number, problem: string): Promise<void> => {
      await client.query(`BEGIN; ${statement}`);
      expect([statement, await listWrongCertificates(client)]).toEqual([statement, [{ height, problem }]]);
      await client.query('ROLLBACK');
    };
    for (const pages of [
      `SET leaves[3] = replace(leaves[3], E'\\t', E'\\t1')`,
      'SET leaves = ARRAY[NULL]',
      `SET leaves = '{}'`,
      `SET first_address = 'D'`,
      'SET page = 1',
    ])
      await expectProblem(`UPDATE certificate_pages ${pages}`, BLOCKS, DAMAGED);
    await expectProblem('DELETE FROM certificate_pages', BLOCKS, DAMAGED);
    for (const document of [
      `regexp_replace(document, '"accounts":\\d+', '"accounts":0')`,
      `replace(document, '"supply":', '"supply":1')`,
      `'{'`,
    ])
      await expectProblem(`UPDATE certificates SET document = ${document}`, BLOCKS, WRONG);
    await expectProblem('DELETE FROM certificates', BLOCKS, 'there are leaves, but no certificate');
    const move = (height: number): string =>
      ['certificates', 'certificate_pages'].map((name) => `UPDATE ${name} SET height = ${height}`).join('; ');
    await expectProblem(move(BLOCKS + 1), BLOCKS + 1, 'there is a certificate, but no block');
    await expectProblem(move(BLOCKS - 1), BLOCKS - 1, DAMAGED);
    await index.close();
  });

  it.each([
    ['the head', false, BLOCKS],
    ['a height of history', true, 30],
  ])(
    'that is forged with all its leaves is named by verify, and removed by rebuild: of %s',
    async (_what, keepsHistory, height) => {
      const index = await create(keepsHistory);
      const right = await makeCertificate(index.client, height);
      await forge(index.client);
      expect(await strays(index)).toEqual([{ height, problem: DAMAGED }]);
      await index.apart((client) => rebuildIndex(client, { undoDepth: UNDO_DEPTH, keepsHistory }));
      expect(await strays(index)).toEqual([]);
      expect(await makeCertificate(index.client, height)).toEqual(right);
      await index.close();
    },
  );

  it('whose leaves can no longer be listed is compared with them, and with its block', async () => {
    const index = await create();
    const { client } = index;
    await makeCertificate(client, BLOCKS - UNDO_DEPTH);
    await client.query('DELETE FROM undo_accounts WHERE height <= $1', [BLOCKS - UNDO_DEPTH + 5]);
    const wrong = () => inTransaction(client, () => listWrongCertificates(client));
    expect(await wrong()).toEqual([]);
    await client.query(`UPDATE certificate_pages SET leaves[3] = replace(leaves[3], E'\\t', E'\\t1')`);
    expect(await wrong()).toMatchObject([{ problem: DAMAGED }]);
    await forge(client);
    expect(await wrong()).toEqual([]);
    await client.query(
      `UPDATE certificates SET document = replace(document, '"delegates":', '"delegates":1')`,
    );
    expect(await wrong()).toMatchObject([{ problem: WRONG }]);
    await index.close();
  });

  it('is removed by a rebuild that corrects something', async () => {
    const index = await create();
    const { client } = index;
    const right = await makeCertificate(client);
    const rebuild = () => index.apart((other) => rebuildIndex(other, { undoDepth: UNDO_DEPTH }));
    await rebuild();
    await client.query('UPDATE undo_accounts SET nonce = nonce + 1 WHERE height = $1', [BLOCKS]);
    await client.query('UPDATE daily_statistics SET fees = fees + 1');
    expect(await rebuild()).toMatchObject({
      replaced: [{ table: 'daily_statistics' }, { table: 'undo_accounts' }],
    });
    expect(await heightsOf(client)).toEqual([BLOCKS]);
    await client.query('DELETE FROM certificates');
    await client.query('DELETE FROM certificate_pages');
    await client.query('UPDATE accounts SET nonce = nonce + 1 WHERE number = 1');
    expect((await makeCertificate(client)).text).not.toBe(right.text);
    expect(await rebuild()).toMatchObject({
      replaced: [{ table: 'accounts' }, { table: 'certificates' }, { table: 'certificate_pages' }],
    });
    expect(await makeCertificate(client)).toEqual(right);
    await index.close();
  });

  it.each([
    ['it began first', 'SELECT FROM blocks FOR UPDATE', false],
    ['the rebuild began first', 'LOCK TABLE accounts IN SHARE MODE', true],
  ])('does not keep what a rebuild corrects meanwhile, if %s', async (_what, hold, isRight) => {
    const index = await create();
    const { client } = index;
    const right = await makeCertificate(client);
    await client.query('DELETE FROM certificates; DELETE FROM certificate_pages');
    await client.query('UPDATE accounts SET nonce = nonce + 1 WHERE number = 1');
    await index.apart(async (holder) => {
      await holder.query(`BEGIN; ${hold}`);
      let isRebuilt = false;
      const make = () => index.apart((other) => makeCertificate(other));
      const rebuild = async () => {
        await index.apart((other) => rebuildIndex(other, { undoDepth: UNDO_DEPTH }));
        isRebuilt = true;
      };
      const areWaiting = (count: number) => async (): Promise<boolean> => {
        await holder.query('SELECT pg_stat_clear_snapshot()');
        return isRebuilt || (await holder.query(SELECT_WAITING)).rowCount === count;
      };
      const first = isRight ? rebuild() : make();
      await eventually('the first one waits', areWaiting(1));
      const second = isRight ? make() : rebuild();
      await eventually('both wait', areWaiting(2));
      await holder.query('COMMIT');
      const made = (await Promise.all([first, second])).find((result) => result !== undefined)!;
      expect(made.text === right.text).toBe(isRight);
    });
    expect(await heightsOf(client)).toEqual(isRight ? [BLOCKS] : []);
    await index.close();
  });

  it('is the same for two programs that make it at once', async () => {
    const index = await create();
    const made = await Promise.all([1, 2, 3].map(() => index.apart((client) => makeCertificate(client))));
    expect(made).toEqual([made[0], made[0], made[0]]);
    expect(await heightsOf(index.client)).toEqual([BLOCKS]);
    await index.close();
  });

  it('of the end of a chain is final once that is proven', async () => {
    const index = await create();
    const { client } = index;
    await writeChainEnd(client, BLOCKS);
    await settleChainEnd(client, blocks.at(-1)!);
    expect(await makeCertificate(client)).toMatchObject({ isFinal: false });
    await recordEndProof(client, BLOCKS);
    expect(await makeCertificate(client)).toMatchObject({ isFinal: true });
    await index.close();
  });

  it.each([
    ['is below what it knows', 94, false, /^Without history, the index knows its accounts from height 95 on/],
    ['is above its head', 121, true, /^The index is at height 120: there is no block 121/],
  ])('is refused if the height %s', async (_what, height, keepsHistory, sentence) => {
    const index = await create(keepsHistory);
    await expect(makeCertificate(index.client, height)).rejects.toThrow(sentence);
    await index.close();
  });

  it('is refused by an index of an earlier version until it is rebuilt', async () => {
    const index = await create(false, false);
    await expect(makeCertificate(index.client)).rejects.toThrow(/run "indexer rebuild" first/);
    await index.apart((client) => rebuildIndex(client, { undoDepth: UNDO_DEPTH }));
    const other = await create();
    expect(await makeCertificate(index.client)).toEqual(await makeCertificate(other.client));
    await index.close();
    await other.close();
  });
});
