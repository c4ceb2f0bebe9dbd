import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { RoundhouseClient, verifyProof, type ProofResponse } from '@roundhouse/client';
import { randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import { recordedBlocks, type RecordedBlocks } from './support/recorded-blocks.js';
import { getText } from './support/requests.js';

const PAGE = new URL('../../../docs/certificates.md', import.meta.url);

/** Enough accounts for several rows of leaves. */
const CROWD = `
INSERT INTO accounts (address, number, balance, locked, nonce)
SELECT 'C' || to_char(n, 'FM0000000000000000000000000000000'), n + (SELECT max(number) FROM accounts), 9007199254740993 + n, n, n
FROM generate_series(1, 700) AS n`;

const CHAINS: readonly [string, () => RecordedBlocks, string?][] = [
  ['of Core 2.4', () => recordedBlocks('core-2.4-full')],
  ['of Core 3.9', () => recordedBlocks('core-3.9')],
  ['with a crowd', () => randomChain({ seed: 5, blocks: 60 }), CROWD],
];

describe.each(CHAINS)('proofs of a chain %s', (_name, chainOf, statement) => {
  let index: GrowingIndex;
  let api: RunningApi;
  let client: RoundhouseClient;
  let folder: string;
  let text: string;
  let addresses: string[];
  let height: number;

  const proofOf = (address: string): Promise<ProofResponse> =>
    client.get('/api/accounts/{address}/proof', { address, height });

  /** The exit code and the output of the script in the page, with these two texts. */
  const check = async (certificate: string, proof: string): Promise<{ code: number; said: string }> => {
    const [, script] = /^This script .*?^```js\n(.*?)^```$/ms.exec(await readFile(PAGE, 'utf8'))!;
    const files = { 'check-proof.mjs': script!, 'certificate.json': certificate, 'proof.json': proof };
    for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
    return new Promise((resolve) =>
      execFile(process.execPath, Object.keys(files), { cwd: folder }, (error, said) =>
        resolve({ code: error === null ? 0 : Number(error.code), said }),
      ),
    );
  };

  beforeAll(async () => {
    const { network, blocks } = chainOf();
    index = await GrowingIndex.create(network);
    await index.apply(blocks);
    if (statement !== undefined) await index.query(statement);
    text = await index.certify();
    height = blocks.length;
    const { rows } = await index.query<{ address: string }>('SELECT address FROM accounts ORDER BY address');
    addresses = rows.map(({ address }) => address);
    api = await startApi(index.url);
    client = new RoundhouseClient(api.url);
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-proofs-'));
  });
  afterAll(async () => {
    await api.close();
    await index.close();
    await rm(folder, { recursive: true });
  });

  it('prove each account as it is', async () => {
    const certificate = JSON.parse(text) as ProofResponse['certificate'];
    expect(certificate.accounts).toBe(addresses.length);
    for (const [place, address] of addresses.entries()) {
      if (statement !== undefined && place % 11 > 0) continue;
      const proof = await proofOf(address);
      expect(proof).toMatchObject({ index: place, account: { address } });
      expect(await verifyProof(proof, certificate)).toBe(true);
    }
    const { account } = await client.get('/api/accounts/{account}', { account: addresses[0]! });
    const { balance, locked, nonce, publicKey, vote } = account;
    const { account: proven } = await proofOf(addresses[0]!);
    expect(proven).toEqual({
      address: addresses[0],
      publicKey,
      balance,
      locked,
      nonce,
      vote,
      username: account.delegate?.username ?? null,
    });
  });

  it('have the bytes of the file, and are checked by the script of the documentation', async () => {
    for (const address of [addresses[0]!, addresses.at(-1)!]) {
      const proof = await getText(api.url, `/api/accounts/${address}/proof?height=${height}`);
      expect(proof.text).toContain(`"certificate":${text.trimEnd()},"success":true}`);
      expect(await check(text, proof.text)).toEqual({
        code: 0,
        said: expect.stringMatching(new RegExp(`^${address} had -?\\d+ at height ${height}\\.\n$`)),
      });
    }
  });

  it('prove nothing if a field, the path, the place or the root is another', async () => {
    const proof = await proofOf(addresses[2]!);
    const { certificate, account, path } = proof;
    const key = `02${'a'.repeat(64)}`;
    const others: Partial<ProofResponse>[] = [
      ...[{ address: addresses[3]! }, { publicKey: key }, { vote: key }, { username: 'other' }].map(
        (change) => ({ account: { ...account, ...change } }),
      ),
      ...(['balance', 'locked'] as const).map((name) => ({
        account: { ...account, [name]: account[name] + 1n },
      })),
      { account: { ...account, nonce: account.nonce + 1 } },
      ...[path.slice(1), path.slice(0, -1), path.toReversed(), [...path, path[0]!]].map((path) => ({ path })),
      ...[3, -1, certificate.accounts].map((index) => ({ index })),
    ];
    for (const other of others) expect(await verifyProof({ ...proof, ...other }, certificate)).toBe(false);
    const root = certificate.root.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    expect(await verifyProof(proof, { ...certificate, root })).toBe(false);
    const { text: sent } = await getText(api.url, `/api/accounts/${addresses[2]!}/proof?height=${height}`);
    expect(await check(text, sent.replace('"balance":', '"balance":1'))).toEqual({
      code: 1,
      said: 'The proof is wrong.\n',
    });
  });

  it('are not found without certificate or account', async () => {
    const refusalOf = async (address: string, at: number) =>
      JSON.parse((await getText(api.url, `/api/accounts/${address}/proof?height=${at}`)).text) as unknown;
    const refused = (error: string) => ({ success: false, error });
    expect(await refusalOf(addresses[0]!, height - 1)).toEqual(
      refused(`There is no certificate of height ${height - 1}; the newest are of ${height}.`),
    );
    expect(await refusalOf(addresses[0]!, height + 1)).toEqual(
      refused(`There is no block ${height + 1} yet: the head is ${height}.`),
    );
    for (const address of ['A', 'ZZZ', 'CC'])
      expect(await refusalOf(address, height)).toEqual(
        refused('There was no account with this address or public key at this height.'),
      );
  });
});
