import { CoreApiStandIn, eventually } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import type { IndexerProcess } from './indexer-process.js';
import { IndexerRole } from './indexer-role.js';
import { RECORDED_HEAD, recording } from './recording.js';

const role = new IndexerRole('indexer');

describe('an indexer whose database is in trouble', () => {
  let index: IndexUnderTest;
  let node: CoreApiStandIn;
  let whole: CoreApiStandIn['chain'];
  let process: IndexerProcess;

  beforeAll(async () => {
    node = await CoreApiStandIn.start('core-3.9');
    whole = node.chain;
    node.chain = whole.slice(0, 100);
    index = await IndexUnderTest.create('postgres', {
      ...recording('core-3.9'),
      BLOCK_SOURCE: node.url,
      ...role.settings,
    });
    process = index.run(role.environmentOf(index));
    await index.reach(100, process);
  });

  afterAll(async () => {
    await index.pool.query(`ALTER ROLE ${role.name} CONNECTION LIMIT -1`);
    await process.kill('SIGTERM');
    await role.drop(index);
    await index.close();
    await node.close();
  });

  const grow = (): void => {
    node.chain = whole.slice(0, node.chain.length + 20);
  };

  /** How many there were. */
  const endConnections = async (): Promise<number> => {
    const sessions = 'pg_stat_activity WHERE usename = $1';
    const ended = await index.pool.query(`SELECT pg_terminate_backend(pid) FROM ${sessions}`, [role.name]);
    return ended.rowCount!;
  };

  it('logs that the disk is full, and continues when that is over', async () => {
    const before = await index.height();
    await index.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON blocks EXECUTE FUNCTION refuse()`);
    grow();
    await process.says(/could not extend file \(the database's disk is full/);
    expect(await index.height()).toBe(before);
    await index.pool.query('DROP FUNCTION refuse CASCADE');
    await index.reach(before + 20, process);
  });

  it('logs that no more connections are accepted, and continues when they are accepted again', async () => {
    const before = await index.height();
    await index.pool.query(`ALTER ROLE ${role.name} CONNECTION LIMIT 0`);
    await endConnections();
    grow();
    await process.says(/too many connections for role .*\(the database takes no more connections/);
    await index.pool.query(`ALTER ROLE ${role.name} CONNECTION LIMIT -1`);
    await index.reach(before + 20, process);
  });

  it('is only delayed if every connection is ended several times', async () => {
    node.chain = whole;
    for (let kills = 0; kills < 5; kills += 1)
      await eventually('it has connections, which are ended', async () => (await endConnections()) > 0);
    await index.reach(RECORDED_HEAD, process);
    const straight = await IndexUnderTest.ofRecording('core-3.9');
    expect(await index.digest()).toBe(await straight.digest());
    await straight.close();
  });
});
