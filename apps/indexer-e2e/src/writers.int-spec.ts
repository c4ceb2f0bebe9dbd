import { setTimeout as wait } from 'node:timers/promises';
import { CoreApiStandIn, eventually, SeededRandom } from '@roundhouse/testing';
import { Client } from 'pg';
import { IndexUnderTest } from './index-under-test.js';
import type { IndexerProcess } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

const SEED = 20_170_321;

describe('the writing process', () => {
  /** The digest of an index that nothing disturbed. */
  let expected: string;
  let index: IndexUnderTest;
  let node: CoreApiStandIn;

  beforeAll(async () => {
    const undisturbed = await IndexUnderTest.ofRecording('core-3.9');
    expected = await undisturbed.digest();
    await undisturbed.close();
  });

  beforeEach(async () => {
    node = await CoreApiStandIn.start('core-3.9');
    index = await IndexUnderTest.create('postgres', {
      ...recording('core-3.9'),
      BLOCK_SOURCE: node.url,
      APPLY_BATCH_BLOCKS: '3',
    });
  });

  afterEach(async () => {
    await index.close();
    await node.close();
  });

  /** Two processes; the first one writes and has all but the last blocks. */
  const sideBySide = async (
    height: number,
    beforeTheRest: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<[IndexerProcess, IndexerProcess]> => {
    const whole = node.chain;
    node.chain = whole.slice(0, height);
    const first = index.run();
    await first.untilLeading();
    const second = index.run();
    await index.reach(height, first);
    await second.untilReady();
    await beforeTheRest();
    node.chain = whole;
    return [first, second];
  };

  it(`killed at any point, again and again, leaves nothing half done (seed ${SEED})`, async () => {
    const random = SeededRandom.of(SEED);
    for (let kills = 0; kills < 6; kills += 1) {
      const process = index.run();
      await index.reach(Math.min((await index.height()) + 1 + random.below(50), RECORDED_HEAD), process);
      await wait(random.below(60));
      await process.kill('SIGKILL');
    }
    await index.reach(RECORDED_HEAD, index.run());
    expect(await index.digest()).toBe(expected);
  });

  it('killed, is soon replaced by the other', async () => {
    const [first, second] = await sideBySide(200);
    await first.kill('SIGKILL');
    const killed = performance.now();
    await second.untilLeading();
    await index.reach(201, second);
    // 7.5 s, and the stalls of a busy machine.
    expect(performance.now() - killed).toBeLessThan(15_000);
    await index.reach(RECORDED_HEAD, second);
    expect(await index.digest()).toBe(expected);
  });

  it('frozen, loses its lock to the other, and writes nothing when it wakes up', async () => {
    const [first, second] = await sideBySide(200);
    void first.kill('SIGSTOP');
    await second.untilLeading();
    await index.reach(RECORDED_HEAD, second);
    void first.kill('SIGCONT');
    await first.untilLeading(false);
    expect(await index.height()).toBe(RECORDED_HEAD);
    expect(await index.digest()).toBe(expected);
  });

  it('frozen in the middle of a batch while its connection is cut, cannot commit it', async () => {
    const blocker = new Client({ connectionString: index.environment['DATABASE_URL'] });
    await blocker.connect();
    // The current writer waits here with rows that are not committed.
    const block = () => blocker.query('BEGIN; LOCK TABLE head IN SHARE MODE');
    const [first, second] = await sideBySide(1, block);
    const writers = `FROM pg_stat_activity WHERE application_name = 'roundhouse-writer'
      AND datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(
      'the writer waits for the blocker',
      async () => (await index.pool.query(`SELECT ${writers}`)).rowCount! > 0,
    );
    void first.kill('SIGSTOP');
    await index.pool.query(`SELECT pg_terminate_backend(pid) ${writers}`);
    await blocker.end();
    await index.reach(RECORDED_HEAD, second);
    void first.kill('SIGCONT');
    await first.untilLeading(false);
    expect(await index.digest()).toBe(expected);
  });
});
