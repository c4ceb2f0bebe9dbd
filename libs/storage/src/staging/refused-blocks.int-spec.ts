import { randomChain } from '@roundhouse/testing';
import type { Client } from 'pg';
import { connectTestDatabase } from '../connected-database.harness.js';
import { contentsHash, forgetRefusals, listRefusedContents, refuseBlock } from './refused-blocks.js';
import { listStagedRanges, stageBlocks } from './staged-ranges.js';

const { blocks } = randomChain({ seed: 1, blocks: 3 });
const hashes = blocks.map(contentsHash);

describe('a refused block', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ client, close } = await connectTestDatabase());
  });

  beforeEach(() => forgetRefusals(client));

  afterAll(() => close());

  const refuse = (contents: string | null, reason = 'wrong') =>
    refuseBlock(client, { height: 1, source: 'here', reason, contents });

  const contents = async () => (await listRefusedContents(client)).flatMap((refused) => refused.contents);

  it('drops the staged range that holds it, and counts against the source that fetched the range', async () => {
    await stageBlocks(client, blocks, 'there');
    expect(await refuse(hashes[0]!)).toMatchObject({ height: 1, source: 'there', refusals: 1 });
    expect(await listStagedRanges(client)).toEqual([]);
  });

  it('is listed with all its refused contents, the last refused first', async () => {
    for (const hash of [hashes[0]!, hashes[1]!, hashes[0]!]) await refuse(hash);
    expect(await contents()).toEqual([hashes[0], hashes[1]]);
  });

  it('is tried again after ten refusals in a row, although its source gives nothing else', async () => {
    await refuse(hashes[0]!);
    for (let times = 2; times <= 10; times += 1) await refuse(null);
    expect(await contents()).toEqual([hashes[0]]);
    await refuse(null);
    expect(await contents()).toEqual([]);
    await refuse(hashes[0]!);
    expect(await contents()).toEqual([hashes[0]]);
    await refuse(null);
    expect(await contents()).toEqual([]);
  });
});
