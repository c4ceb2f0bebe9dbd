import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { findBlockId } from '@roundhouse/storage';
import { GeneratedChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';
import type { Ended } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

describe('indexer export', () => {
  let chain: GeneratedChain;

  beforeAll(async () => {
    chain = await GeneratedChain.generate(400);
  });

  afterAll(() => chain.remove());

  const file = (name: string): string => chain.file(name);

  const exported = (index: IndexUnderTest, ...options: string[]): Promise<Ended> =>
    index.command('export', ...options);

  /** The digest of an index that is made from an archive, with every signature verified. */
  const digestOf = async (archive: string, network: string): Promise<string> => {
    const index = await IndexUnderTest.synced({
      BLOCK_SOURCE: `file:${archive}`,
      NETWORK: network,
      VERIFY: 'full',
    });
    const digest = await index.digest();
    await index.close();
    return digest;
  };

  interface RawBlock {
    readonly height: number;
    readonly id: string;
    readonly transactions: readonly RawTransaction[];
  }

  interface RawTransaction {
    readonly id: string;
    readonly version: number;
    readonly typeGroup: number;
    readonly type: number;
  }

  const blocksOf = async (archive: string): Promise<RawBlock[]> => {
    const bytes = await readFile(archive);
    const text = (archive.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as RawBlock);
  };

  /** Fields that a node adds and the sender did not sign (docs/decisions/0019). */
  const unsigned = ({ version, typeGroup, type }: RawTransaction): string[] => [
    'blockHeight',
    'blockId',
    'sequence',
    version === 1 ? 'nonce' : 'timestamp',
    ...(version > 1 && typeGroup === 1 && type === 0 ? [] : ['expiration']),
  ];

  const signedFields = (transaction: RawTransaction): object => {
    const without = unsigned(transaction);
    return Object.fromEntries(Object.entries(transaction).filter(([name]) => !without.includes(name)));
  };

  const signedBlocksOf = async (archive: string): Promise<object[]> =>
    (await blocksOf(archive)).map((block) => ({
      ...block,
      transactions: block.transactions.map(signedFields),
    }));

  const ids = async (archive: string): Promise<string[]> =>
    (await blocksOf(archive)).flatMap(({ id, transactions }) => [id, ...transactions.map((each) => each.id)]);

  it('writes an archive with the same ids, whose index has the same digests', async () => {
    const settings = recording('core-2.4');
    const index = await IndexUnderTest.synced(settings);
    const [archive, network] = [file('recorded.ndjson.gz'), file('recorded.network.json')];
    expect(await exported(index, '--out', archive)).toEqual({
      code: 0,
      signal: null,
      stdout: `Wrote ${RECORDED_HEAD} blocks to ${archive}, and their network to ${network}.\n`,
      stderr: '',
    });
    expect(await ids(archive)).toEqual(await ids(settings.BLOCK_SOURCE.replace('file:', '')));
    expect(await digestOf(archive, network)).toBe(await index.digest());
    await index.close();
  });

  it('of a chain with every kind of transaction returns every signed field, and continues the file of a process that was stopped', async () => {
    const index = await IndexUnderTest.synced(chain.settings());
    const archive = file('again.ndjson.gz');
    await exported(index, '--out', archive, '--to', '150');
    const { size } = await stat(archive);
    expect(await ids(archive)).toEqual((await ids(chain.archive)).slice(0, (await ids(archive)).length));
    await rename(archive, `${archive}.part`);
    const id = await findBlockId(index.pool, 150);
    await writeFile(`${archive}.part.json`, JSON.stringify({ height: 150, id, bytes: size }));
    const { code, stdout } = await exported(index, '--out', archive, '--network', file('other.json'));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Wrote 400 blocks .*other\.json\.\n$/)]);
    expect(await signedBlocksOf(archive)).toEqual(await signedBlocksOf(chain.archive));
    expect(await digestOf(archive, file('other.json'))).toBe(await index.digest());
    await index.close();
  });

  it('refuses a block that the index cannot reproduce as it was forged, and says what helps', async () => {
    const index = await IndexUnderTest.synced(recording('core-3.9'));
    const refused = async (...options: string[]): Promise<string> => {
      const { code, stderr } = await exported(index, ...options);
      expect(code).toBe(1);
      expect(stderr).not.toMatch(/^\s+at /m);
      return stderr;
    };
    expect(await refused('--out', file('x.ndjson'), '--to', '323')).toMatch(/there is no block 323 in it/);
    await index.pool.query(`UPDATE blocks SET total_fee = coalesce(total_fee, 0) + 1 WHERE height = 300`);
    expect(await refused('--out', file('x.ndjson'))).toMatch(
      /^Block 300 of the index is not what was forged: .* "indexer verify" lists/,
    );
    await index.pool.query(`UPDATE transactions SET asset = NULL WHERE block_height = 1 AND type = 3`);
    expect(await refused('--out', file('z.ndjson'))).toMatch(
      /^Block 1 of the index is not what was forged: it has a malformed field: /,
    );
    expect(await refused('--out', file('recorded.ndjson.gz'))).toMatch(/is there already: name another file/);
    await index.close();
  });
});
