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

  /** PostgreSQL refuses every block with `sqlState`. */
  const refuseBlocks = async (sqlState: string, message: string): Promise<void> => {
    await index.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION USING ERRCODE = '${sqlState}', MESSAGE = '${message}'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON blocks EXECUTE FUNCTION refuse()`);
  };

  it.each([
    ['disk is full', '53100', 'could not extend file', /could not extend file \(the database's disk is full/],
    [
      'memory is used up',
      '53200',
      'out of shared memory',
      /out of shared memory \(the database has no memory/,
    ],
  ])('logs that the %s, and continues when that is over', async (_, sqlState, message, told) => {
    const before = await index.height();
    await refuseBlocks(sqlState, message);
    grow();
    await process.says(told);
    expect(await index.height()).toBe(before);
    await index.pool.query('DROP FUNCTION refuse CASCADE');
    await index.reach(before + 20, process);
  });

  it('logs that no more connections are accepted, and continues when they are accepted again', async () => {
    const before = await index.height();
    await index.pool.query(`ALTER ROLE ${role.name} CONNECTION LIMIT 0`);
    await index.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
      role.name,
    ]);
    grow();
    await process.says(/too many connections for role .*\(the database takes no more connections/);
    await index.pool.query(`ALTER ROLE ${role.name} CONNECTION LIMIT -1`);
    await index.reach(before + 20, process);
  });

  it('is only delayed if every connection is ended several times', async () => {
    node.chain = whole;
    let kills = 0;
    await eventually(
      'all is indexed',
      async () => {
        kills += 1;
        if (kills <= 5) {
          await index.pool.query(
            'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
            [role.name],
          );
        }
        return kills > 5 && (await index.height()) === RECORDED_HEAD;
      },
      120_000,
    );
    const straight = await IndexUnderTest.create('postgres', recording('core-3.9'));
    await straight.reach(RECORDED_HEAD, straight.run());
    expect(await index.digest()).toBe(await straight.digest());
    await straight.close();
  });
});
