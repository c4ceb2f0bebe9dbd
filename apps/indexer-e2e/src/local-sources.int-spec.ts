import { appendFile } from 'node:fs/promises';
import { createEmptyDatabase, loadCoreLines } from '@roundhouse/testing';
import { GeneratedChain } from './generated-chain.js';
import { IndexUnderTest } from './index-under-test.js';

const BLOCKS = 1_500;
/** More than the smallest lag at which blocks are read without staging. */
const FIRST_PART = 1_100;

/** How many of its newest blocks a node may still replace: those go through the queues. */
const UNSETTLED = 200;

/** Delays the end of the first poll, so that the leader is ready before it. */
const SLOW_FIRST_POLL = `
CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$;
CREATE TRIGGER dawdle BEFORE INSERT ON source_status FOR EACH ROW EXECUTE FUNCTION dawdle()`;

/** From now on, staging a block up to this height fails. */
const refuseStaging = (height: number): string => `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'staged'; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON staged_ranges FOR EACH ROW
  WHEN (NEW.from_height <= ${height}) EXECUTE FUNCTION refuse()`;

describe('a local source that is far ahead of the index', () => {
  let chain: GeneratedChain;
  let archive: string;
  let lines: string[];
  /** The digest after indexing through the queues and the staging. */
  let expected: string;

  const create = (source: string, over: Record<string, string> = {}): Promise<IndexUnderTest> =>
    IndexUnderTest.create('postgres', { BLOCK_SOURCE: source, NETWORK: chain.network, ...over });

  beforeAll(async () => {
    chain = await GeneratedChain.generate(BLOCKS);
    archive = chain.archive;
    lines = await chain.lines();
    // With several sources, none is read directly.
    const index = await create(`file:${archive},file:${archive}`);
    await index.reach(BLOCKS, index.run());
    expected = await index.digest();
    await index.close();
  });

  afterAll(() => chain.remove());

  it('an archive is read without staging, and gives the same tables', async () => {
    const index = await create(`file:${archive}`, { VERIFY: 'hash' });
    await index.pool.query(refuseStaging(BLOCKS));
    await index.reach(BLOCKS, index.run());
    expect(await index.digest()).toBe(expected);
    await index.close();
  });

  it('an archive is read at once, and not at the next poll, with VERIFY=full, too', async () => {
    const index = await create(`file:${archive}`, { VERIFY: 'full', POLL_INTERVAL_MS: '3600000' });
    await index.pool.query(`${refuseStaging(BLOCKS)}; ${SLOW_FIRST_POLL}`);
    await index.reach(BLOCKS, index.run());
    expect(await index.digest()).toBe(expected);
    await index.close();
  });

  it('an archive that grows is followed through the queues', async () => {
    const growing = await chain.write('growing.ndjson', lines.slice(0, FIRST_PART));
    const index = await create(`file:${growing}`);
    const run = index.run();
    await index.reach(FIRST_PART, run);
    await appendFile(growing, lines.slice(FIRST_PART, FIRST_PART + 150).join(''));
    await index.reach(FIRST_PART + 150, run);
    await appendFile(growing, lines.slice(FIRST_PART + 150).join(''));
    await index.reach(BLOCKS, run);
    expect(await index.digest()).toBe(expected);
    await index.close();
  });

  it("a node's database is read without staging, except for its newest blocks", async () => {
    const node = await createEmptyDatabase();
    await loadCoreLines(node.url, lines);
    const index = await create(node.url);
    await index.pool.query(refuseStaging(BLOCKS - UNSETTLED));
    await index.reach(BLOCKS, index.run());
    expect(await index.digest()).toBe(expected);
    await index.close();
    await node.drop();
  });
});
