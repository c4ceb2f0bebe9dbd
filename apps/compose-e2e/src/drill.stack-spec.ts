import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@roundhouse/testing';
import { randomBytes } from 'node:crypto';
import { ComposeStack } from './support/compose-stack.js';
import { buildImage } from './support/image.js';
import { linesOf, run } from './support/shell.js';
import { DIGESTS, digestsIn } from './support/undisturbed.js';

const VERSION = `drill-${randomBytes(3).toString('hex')}`;

const PATIENCE_MS = 180_000;

/** A moment at which the chain stood still and the index was complete. */
interface Moment {
  /** PostgreSQL's time. */
  readonly at: string;
  readonly height: number;
  readonly digests: readonly string[];
}

/** The steps of a drill, in order: each begins with what the last one left. */
describe('the recovery drill', () => {
  let stack: ComposeStack;
  let moment: Moment;

  const sql = (query: string): Promise<string> =>
    stack.exec('postgres', 'psql', '-U', 'roundhouse', '-Atc', query);
  const backup = (command: string): Promise<string> =>
    stack.exec('backup', 'sh', '/etc/roundhouse/backup.sh', command);
  const baseBackups = async (): Promise<string[]> =>
    // Root cannot read the folder: it has no capabilities.
    linesOf(await stack.execAs('postgres', 'postgres', 'sh', '-c', 'ls -d /backup/*/base/*'));
  const once = (...command: string[]): Promise<string> =>
    stack.run('run', '--rm', '--no-deps', 'migrate', ...command);
  const digests = async (): Promise<string[]> => digestsIn(await once('digest'));

  /** Pauses the chain until it is resumed. */
  const standStill = async (): Promise<Moment> => {
    const { height } = await stack.orderDevnet('pause');
    await eventually('the index is complete', async () => (await stack.height()) === height, PATIENCE_MS);
    return { at: await sql('SELECT now()'), height, digests: await digests() };
  };

  /** Waits until all that is written now is archived. */
  const untilArchived = async (): Promise<void> => {
    // While the chain stands still nothing else may be written, and a segment without news is not archived.
    await sql("SELECT pg_logical_emit_message(true, 'drill', '')");
    const segment = await sql('SELECT pg_walfile_name(pg_current_wal_lsn())');
    const isArchived = `SELECT last_archived_wal >= '${segment}' FROM pg_stat_archiver`;
    await eventually(`${segment} is archived`, async () => (await sql(isArchived)) === 't', PATIENCE_MS);
  };

  /** PostgreSQL ends without a last word, and its volume is gone. */
  const loseDatabase = async (): Promise<void> => {
    await run('docker', ['rm', '-f', '-v', await stack.container('postgres')]);
    await stack.run('stop', 'indexer', 'backup');
    await stack.loseDatabase();
  };

  const startDatabase = async (): Promise<void> => {
    await stack.run('up', '-d', '--no-build', '--no-deps', 'postgres');
    await stack.untilHealthy('postgres', 1);
    // Wakes the checkpointer, which looks at archive_timeout only then, or five minutes after the start.
    await sql('CHECKPOINT');
  };

  /** The indexer continues, and the index agrees with its blocks. */
  const followsTheChain = async (): Promise<void> => {
    await stack.run('start', 'indexer');
    const { height } = await stack.orderDevnet('resume');
    await eventually('the index is beyond it', async () => (await stack.height()) > height, PATIENCE_MS);
    expect(await once('verify', '--from-genesis')).toContain('every derived table agrees');
  };

  beforeAll(async () => {
    await buildImage(VERSION, 'drill');
    stack = await ComposeStack.create(VERSION, 'backup');
    stack.set('WAL_ARCHIVE', 'on');
    stack.set('WAL_ARCHIVE_TIMEOUT', '2');
    stack.set('BACKUP_KEEP', '2');
    await stack.run('up', '-d', '--no-build');
  });
  afterAll(async () => {
    await stack.remove();
    await run('docker', ['rmi', '-f', `roundhouse:${VERSION}`]);
  });

  it('the index grows, and the schedule makes the first base backup and the first dump', async () => {
    await eventually('the first answer', async () => (await stack.height()) > 1, PATIENCE_MS);
    await eventually('a dump', async () => (await backup('list')).includes('.dump'), PATIENCE_MS);
    expect(await baseBackups()).toHaveLength(1);
    await backup('check');
  });

  it('the metrics of the indexer show how old they are', async () => {
    const ask = `console.log(await (await fetch('http://127.0.0.1:4104/metrics')).text())`;
    let metrics = '';
    // A scrape leaves out what the database does not answer in time.
    await eventually('a scrape has them', async () => {
      metrics = await stack.exec('indexer', 'node', '--input-type=module', '-e', ask);
      return /^roundhouse_backup_age_seconds\{kind="base"\} \d/m.test(metrics);
    });
    expect(metrics).toMatch(/^roundhouse_backup_every_seconds\{kind="dump"\} 604800$/m);
    expect(metrics).toMatch(/^roundhouse_wal_archive_age_seconds \d/m);
  });

  it('a segment is archived again if it is equal, and refused if it is not', async () => {
    const attempts = `cd "$PGDATA" && archive() { sh /etc/roundhouse/archive-wal.sh /tmp/segment "$name"; }
      newest=$(ls /backup/*/wal/????????????????????????.gz | tail -n 1) && name=$(basename "$newest" .gz)
      gzip -dc "$newest" >/tmp/segment && archive && echo accepted
      echo more >>/tmp/segment; archive 2>&1 || echo refused`;
    const said = await stack.exec(
      'postgres',
      'setpriv',
      '--reuid=postgres',
      '--clear-groups',
      'sh',
      '-c',
      attempts,
    );
    expect(said).toMatch(/^accepted\n.* exists with other contents: .*\nrefused$/);
  });

  it('two more base backups are made while it grows; the oldest one goes, with its WAL', async () => {
    const [first] = await baseBackups();
    await stack.untilItGrows(10, PATIENCE_MS);
    await backup('base');
    await stack.untilItGrows(10, PATIENCE_MS);
    await backup('base');
    const kept = await baseBackups();
    expect(kept).toHaveLength(2);
    expect(kept).not.toContain(first);
    // The first base backup began in segment 2.
    const archived = await stack.exec('backup', 'sh', '-c', 'ls /backup/*/wal');
    expect(archived).not.toContain('000000010000000000000003.gz');
    expect(linesOf(archived).length).toBeGreaterThan(2);
  });

  it('a moment is remembered, and the chain goes on', async () => {
    await stack.untilItGrows(10, PATIENCE_MS);
    moment = await standStill();
    expect(moment.digests).toHaveLength(DIGESTS);
    await stack.orderDevnet('resume');
    await stack.untilItGrows(10, PATIENCE_MS);
    await untilArchived();
  });

  it('the volume is lost and restored to that moment: each table is what it was', async () => {
    await loseDatabase();
    const said = await stack.run('run', '--rm', 'recover', moment.at);
    expect(said).toContain(`The newest block is ${moment.height}.`);
    await startDatabase();
    expect(await digests()).toEqual(moment.digests);
  });

  it('the index follows the chain again, and verify finds nothing wrong', followsTheChain);

  it('the volume is lost again and restored to the end of the WAL, across the first restore', async () => {
    moment = await standStill();
    await untilArchived();
    await loseDatabase();
    const said = await stack.run('run', '--rm', 'recover');
    expect(said).toContain(`The newest block is ${moment.height}.`);
    await startDatabase();
    expect(await digests()).toEqual(moment.digests);
    await followsTheChain();
  });

  it('after a restore the schedule makes a base backup at once', async () => {
    const before = await baseBackups();
    await stack.run('start', 'backup');
    const isMade = async (): Promise<boolean> => (await baseBackups()).some((each) => !before.includes(each));
    await eventually('a base backup', isMade, PATIENCE_MS);
  });

  it('the volume is lost and a dump restored into a new database: each table is what it was', async () => {
    moment = await standStill();
    await backup('dump');
    await loseDatabase();
    await startDatabase();
    await stack.run('start', 'backup');
    const restore = `pg_restore -d roundhouse --no-owner --no-privileges --exit-on-error $(ls /backup/dumps/* | tail -n 1)`;
    await stack.exec('backup', 'sh', '-c', restore);
    await once('migrate');
    expect(await digests()).toEqual(moment.digests);
    await followsTheChain();
  });

  it('the new database is backed up beside the lost one', async () => {
    await backup('base');
    const databases = new Set((await baseBackups()).map((path) => path.split('/')[2]));
    expect(databases.size).toBe(2);
    await backup('check');
  });
});
