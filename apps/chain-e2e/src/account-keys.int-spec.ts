import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MultiSignature, parseLosslessJson } from '@roundhouse/chain';
import { readRecording, type RecordedChain } from '@roundhouse/testing';
import { RecordedIndex } from './recorded-index.js';

/** What a node knows about an account, apart from amounts and votes. */
interface Wallet {
  readonly address: string;
  readonly publicKey: string | null;
  readonly secondPublicKey: string | null;
  readonly members: MultiSignature | null;
  /** Core 2.4 has no nonces. */
  readonly nonce?: number;
}

interface Attributes {
  readonly secondPublicKey?: string;
  readonly multiSignature?: MultiSignature;
}

interface NodeWallet extends Attributes {
  readonly address: string;
  readonly publicKey?: string;
  readonly nonce?: string;
  readonly multisignature?: MultiSignature;
  readonly attributes?: Attributes;
}

const fromNode = ({ address, publicKey, nonce, attributes, ...flat }: NodeWallet): Wallet => ({
  address,
  publicKey: publicKey ?? null,
  secondPublicKey: (attributes ?? flat).secondPublicKey ?? null,
  members: attributes?.multiSignature ?? flat.multisignature ?? null,
  ...(nonce === undefined ? {} : { nonce: Number(nonce) }),
});

/** All pages of the list of wallets that a node's public API returned. */
const listed = (recording: RecordedChain, file: string, pages: RegExp): Wallet[] =>
  readRecording<{ path: string; body: string }>(recording, file)
    .filter(({ path }) => pages.test(path))
    .flatMap(({ body }) => (parseLosslessJson(body) as { data: NodeWallet[] }).data)
    .map(fromNode);

const inMemory = (): Wallet[] =>
  readRecording<NodeWallet>('core-2.4-full', 'node-wallets.ndjson.gz').map(fromNode);

const byAddress = (one: Wallet, other: Wallet): number => (one.address < other.address ? -1 : 1);

const PAGES = /^\/api\/wallets\?page=\d+&limit=100$/;

describe.each([
  ['core-2.4-full', 'in the memory of its node', inMemory, { second: 13, shared: 3 }],
  [
    'core-3.9',
    'as its node listed them',
    () => listed('core-3.9', 'core-api-v3.ndjson.gz', PAGES),
    { second: 4, shared: 1 },
  ],
  [
    'core-3.9',
    'as its node listed them after a restart',
    () => listed('core-3.9', 'core-api-v3-after-restart.ndjson.gz', PAGES),
    { second: 4, shared: 1 },
  ],
] as const)('the accounts of %s, %s', (recording, _, read, counts) => {
  const wallets = read().sort(byAddress);
  const hasNonces = recording === 'core-3.9';
  let index: RecordedIndex;

  const indexed = async (): Promise<Wallet[]> => {
    const { rows } = await index.client.query<NodeWallet & { members: string | null }>(
      `SELECT address, encode(public_key, 'hex') AS "publicKey", nonce,
         encode(second_public_key, 'hex') AS "secondPublicKey", encode(multi_signature, 'hex') AS members FROM accounts`,
    );
    return rows
      .map(({ members, nonce, ...row }) => ({
        ...fromNode(row),
        members: members === null ? null : membersOf(members),
        ...(hasNonces ? { nonce: Number(nonce) } : {}),
      }))
      .sort(byAddress);
  };

  beforeAll(async () => {
    index = await RecordedIndex.whole(recording);
  });
  afterAll(() => index.close());

  it('have the same keys, members and nonces', async () => {
    expect(wallets.filter(({ secondPublicKey }) => secondPublicKey !== null)).toHaveLength(counts.second);
    expect(wallets.filter(({ members }) => members !== null)).toHaveLength(counts.shared);
    if (hasNonces) expect(Math.max(...wallets.map(({ nonce }) => nonce!))).toBeGreaterThan(9);
    expect(await indexed()).toEqual(wallets);
  });
});

const KEY_DIGITS = 66;

const membersOf = (hex: string): MultiSignature => ({
  publicKeys: hex.slice(2).match(new RegExp(`.{${KEY_DIGITS}}`, 'g'))!,
  min: Number.parseInt(hex.slice(0, 2), 16),
});
