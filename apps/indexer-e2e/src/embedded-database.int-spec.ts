import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalPostgres } from '@roundhouse/local-postgres';
import { indexer } from './indexer-process.js';

describe('a command without DATABASE_URL', () => {
  let DATA_DIR: string;

  beforeEach(async () => {
    DATA_DIR = await mkdtemp(join(tmpdir(), 'roundhouse-data-'));
    // Under root, the server runs as another user, who needs access.
    await chmod(DATA_DIR, 0o711);
  });

  afterEach(() => rm(DATA_DIR, { recursive: true, force: true }));

  it('uses the embedded PostgreSQL of its DATA_DIR, starts it if it does not run, and says so if there is none', async () => {
    const nobodyThere = {
      code: 1,
      stderr: expect.stringContaining(
        `DATABASE_URL is not set, and there is no embedded PostgreSQL in ${DATA_DIR}: `,
      ) as string,
    };
    expect(await indexer(['status'], { DATA_DIR })).toMatchObject(nobodyThere);
    const postgres = await startLocalPostgres({ directory: join(DATA_DIR, 'postgres') });
    try {
      expect(await indexer(['migrate'], { DATA_DIR, DATABASE_URL: '' })).toMatchObject({ code: 0 });
      const { code, stdout } = await indexer(['status'], { DATA_DIR });
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^schema +up to date/)]);
    } finally {
      await postgres.stop();
    }
    // One after the other, each starts and stops it.
    for (const command of ['status', 'migrate', 'status'])
      expect(await indexer([command], { DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
    await expect(readFile(join(DATA_DIR, 'postgres/cluster/data/postmaster.pid'))).rejects.toThrow('ENOENT');
  });
});
