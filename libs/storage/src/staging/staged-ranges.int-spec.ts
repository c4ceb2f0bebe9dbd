import { createTestDatabase, randomChain, type TestDatabase } from '@roundhouse/testing';
import { Client } from 'pg';
import { dropStagedAt, listStagedRanges, readStagedBlocks, stageBlocks } from './staged-ranges.js';

const { blocks } = randomChain({ seed: 1, blocks: 30 });

const range = (from: number, to: number) => blocks.slice(from - 1, to);

describe('staged ranges', () => {
  let database: TestDatabase;
  let client: Client;

  const spans = async () => (await listStagedRanges(client)).map(({ from, to }) => `${from}-${to}`);

  const setHead = (height: number) =>
    client.query(
      `INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES ($1, 'x', 0, 0, 0)`,
      [height],
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterEach(() => client.query('TRUNCATE staged_ranges, head'));

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('are read from any height within them', async () => {
    await stageBlocks(client, range(1, 10));
    expect(await readStagedBlocks(client, 1)).toEqual(range(1, 10));
    expect(await readStagedBlocks(client, 4)).toEqual(range(4, 10));
    expect(await readStagedBlocks(client, 11)).toBeNull();
  });

  it('change nothing when staged twice', async () => {
    await stageBlocks(client, range(1, 10));
    await stageBlocks(client, range(1, 10));
    expect(await spans()).toEqual(['1-10']);
  });

  it('keep the longer of two that begin at the same height', async () => {
    await stageBlocks(client, range(1, 10));
    await stageBlocks(client, range(1, 20));
    await stageBlocks(client, range(1, 5));
    expect(await spans()).toEqual(['1-20']);
    expect(await readStagedBlocks(client, 15)).toEqual(range(15, 20));
  });

  it('are not stored when the head has passed them', async () => {
    await setHead(10);
    await stageBlocks(client, range(1, 10));
    await stageBlocks(client, range(8, 12));
    expect(await spans()).toEqual(['8-12']);
  });

  it('vanish from the list once the head has passed them', async () => {
    await stageBlocks(client, range(1, 10));
    await stageBlocks(client, range(11, 20));
    await setHead(10);
    expect(await spans()).toEqual(['11-20']);
  });

  it('are dropped by a height within them', async () => {
    await stageBlocks(client, range(1, 10));
    await stageBlocks(client, range(6, 15));
    await stageBlocks(client, range(16, 20));
    await dropStagedAt(client, 8);
    expect(await spans()).toEqual(['16-20']);
  });
});
