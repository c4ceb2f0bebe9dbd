import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startPostgres } from '@roundhouse/testing';
import { Client } from 'pg';
import { readBackupState } from './backups.js';
import { connectTestDatabase } from './connected-database.harness.js';

describe('readBackupState', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ client, close } = await connectTestDatabase());
  });
  afterAll(() => close());

  it('finds nothing where nothing is backed up', async () => {
    expect(await readBackupState(client)).toEqual({ newest: [], walAgeSeconds: null });
  });

  it('says how old the newest backups are', async () => {
    // As deploy/backup/backup.sh does; the recovery drill tests the two together.
    await client.query(`
      CREATE SCHEMA backup;
      CREATE TABLE backup.newest (kind text PRIMARY KEY, ended_at timestamptz NOT NULL, every_seconds integer NOT NULL);
      INSERT INTO backup.newest VALUES ('dump', now(), 0), ('base', now() - interval '2 hours', 3600)`);
    const { newest } = await readBackupState(client);
    expect(newest).toEqual([
      { kind: 'base', ageSeconds: expect.any(Number), everySeconds: 3600 },
      { kind: 'dump', ageSeconds: expect.any(Number), everySeconds: 0 },
    ]);
    expect(newest[0]!.ageSeconds).toBeGreaterThanOrEqual(7_200);
    expect(newest[0]!.ageSeconds).toBeLessThan(7_500);
  });

  it('knows no age of WAL while none waits to be archived, however long ago the last was', async () => {
    const postgres = await startPostgres({ settings: { archive_mode: 'on' } });
    const own = new Client({ connectionString: postgres.url });
    await own.connect();
    const completeSegment = () => own.query("SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal()");
    const archiveBy = async (command: string): Promise<void> => {
      await own.query(`ALTER SYSTEM SET archive_command = '${command}'`);
      await own.query('SELECT pg_reload_conf()');
    };
    const untilAge = (what: string, is: (age: number) => boolean): Promise<number> =>
      eventually(what, async () => is((await readBackupState(own)).walAgeSeconds!));
    await archiveBy('true');
    await completeSegment();
    await untilAge('all is archived', (age) => age === 0);
    await archiveBy('false');
    await completeSegment();
    await untilAge('a segment waits', (age) => age > 0);
    await archiveBy('true');
    await untilAge('it is archived', (age) => age === 0);
    await own.end();
    await postgres.remove();
  });
});
