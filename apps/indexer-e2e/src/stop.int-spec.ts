import { setTimeout as wait } from 'node:timers/promises';
import type { QueuedJobs } from '@roundhouse/jobs';
import { CoreApiStandIn, eventually, IN_THIS_DATABASE, TcpProxy } from '@roundhouse/testing';
import { Client } from 'pg';
import { IndexUnderTest, queueBackends } from './index-under-test.js';
import type { Ended, IndexerProcess } from './indexer-process.js';
import { RECORDED_HEAD, recording } from './recording.js';

/** A process that does not end by itself within 9 s would never end. */
const STOP_MS = 20_000;

interface Status {
  readonly queues: { readonly jobs: readonly QueuedJobs[] };
}

/** Stops the process; fails if that takes too long. */
const stopInTime = async (process: IndexerProcess): Promise<Ended & { readonly ms: number }> => {
  const told = performance.now();
  const ended = await process.kill('SIGTERM');
  const ms = performance.now() - told;
  expect(ms).toBeLessThan(STOP_MS);
  return { ...ended, ms };
};

describe('an indexer that is told to stop', () => {
  it.each(queueBackends)(
    'returns its fetch jobs to %s if its node hangs, and another indexer takes them',
    async (backend) => {
      const index = await IndexUnderTest.create(backend, recording('core-3.9'));
      const node = await CoreApiStandIn.start('core-3.9');
      const isForBlocks = (path: string): boolean => path.startsWith('/api/blocks?');
      node.intercept = ({ path }) => {
        if (isForBlocks(path)) node.misbehave({ kind: 'hanging' });
      };
      const hanging = index.run({ BLOCK_SOURCE: node.url });
      await eventually('it asks for blocks', () => node.requests.some(isForBlocks));
      const { code, stdout } = await stopInTime(hanging);
      expect(code).toBe(0);
      expect(stdout).toMatch(/"stopped"/);
      const status = JSON.parse((await index.command('status', '--json')).stdout) as Status;
      const { active, waiting, delayed } = status.queues.jobs.find(({ queue }) => queue === 'fetch')!;
      expect(active).toBe(0);
      expect(waiting + delayed).toBeGreaterThan(0);
      await index.reach(RECORDED_HEAD, index.run());
      await node.close();
      await index.close();
    },
  );

  it.each(queueBackends)(
    'ends while %s hangs, and logs the steps that did not end, and while it is gone',
    async (backend) => {
      const index = await IndexUnderTest.create(backend, recording('core-3.9'));
      const setting = backend === 'redis' ? 'REDIS_URL' : 'DATABASE_URL';
      const proxy = await TcpProxy.before(index.environment[setting]!);
      const hanging = index.run({ [setting]: proxy.url });
      await index.reach(RECORDED_HEAD, hanging);
      proxy.freeze();
      const { code, stdout } = await stopInTime(hanging);
      expect(code).toBe(0);
      // If no request to the server was open at that moment, nothing hangs.
      expect(stdout).toMatch(/"unfinished":\["[^\]]+"\]|"stopped"/);
      await proxy.cut();
      await proxy.restore();
      const cutOff = index.run({ [setting]: proxy.url });
      await cutOff.untilReady();
      await proxy.cut();
      expect(await stopInTime(cutOff)).toMatchObject({ code: 0 });
      await index.close();
    },
  );

  it('ends while it waits for its node to answer at the start', async () => {
    const index = await IndexUnderTest.create('postgres', recording('core-3.9'));
    const node = await CoreApiStandIn.start('core-3.9');
    node.intercept = () => node.misbehave({ kind: 'hanging' });
    const process = index.run({ BLOCK_SOURCE: node.url });
    await eventually('it asks its node', () => node.requests.length > 0);
    const { code, ms } = await stopInTime(process);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5_000);
    await node.close();
    await index.close();
  });

  describe('in the middle of a batch', () => {
    let index: IndexUnderTest;
    let process: IndexerProcess;
    let blocker: Client;

    const isWriterWaiting = async (): Promise<boolean> => {
      const { rows } = await index.pool.query(
        `SELECT FROM pg_stat_activity WHERE application_name = 'roundhouse-writer'
           AND datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    };

    /** An indexer whose first batch cannot be written while `blocker` keeps its transaction open. */
    beforeEach(async () => {
      index = await IndexUnderTest.create('postgres', recording('core-3.9'));
      blocker = new Client({ connectionString: index.environment['DATABASE_URL'] });
      await blocker.connect();
      await blocker.query('BEGIN; LOCK TABLE blocks IN SHARE MODE');
      process = index.run();
      await eventually('the writer waits for the blocker', isWriterWaiting);
    });

    afterEach(async () => {
      await blocker.end();
      await index.close();
    });

    it('becomes unready, commits the whole batch and releases the writer’s lock', async () => {
      await process.untilReady();
      const stopped = stopInTime(process);
      let answer: Response;
      do answer = await fetch(`${process.operationsUrl}/health/ready`);
      while (answer.status === 200);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({ status: 'not ready', reason: 'The indexer is stopping.' });
      await blocker.end();
      expect(await stopped).toMatchObject({ code: 0, stderr: '' });
      expect(await index.height()).toBeGreaterThan(0);
      // PostgreSQL may notice the end of a session later than the process.
      await eventually('the lock is released', async () => {
        const locks = await index.pool.query(`SELECT FROM pg_locks WHERE objid = 7466502
          AND ${IN_THIS_DATABASE}`);
        return locks.rows.length === 0;
      });
    });

    it('drops the whole batch if it cannot be committed in time', async () => {
      const { code, stdout } = await stopInTime(process);
      expect(code).toBe(0);
      expect(stdout).toMatch(/dropped whole/);
      await blocker.end();
      expect(await index.height()).toBe(0);
      await index.reach(RECORDED_HEAD, index.run());
    });

    it('ends at once on a second signal', async () => {
      const first = process.kill('SIGTERM');
      await process.untilUnready();
      const told = performance.now();
      const { code } = await process.kill('SIGTERM');
      expect(performance.now() - told).toBeLessThan(5_000);
      expect(code).toBe(143);
      await first;
    });
  });
});

describe('an indexer that loses its PostgreSQL', () => {
  it('uses less than half a core meanwhile, and continues when it is back', async () => {
    const index = await IndexUnderTest.create('postgres', recording('core-3.9'));
    const proxy = await TcpProxy.before(index.environment['DATABASE_URL']!);
    const process = index.run({ DATABASE_URL: proxy.url });
    await index.reach(RECORDED_HEAD, process);
    await proxy.cut();
    await process.untilUnready();
    const [began, used] = [performance.now(), process.cpuSeconds];
    await wait(3_000);
    const cores = (process.cpuSeconds - used) / ((performance.now() - began) / 1_000);
    expect(cores).toBeLessThan(0.5);
    await proxy.restore();
    await process.untilReady();
    expect((await stopInTime(process)).code).toBe(0);
    await proxy.cut();
    await index.close();
  });
});
