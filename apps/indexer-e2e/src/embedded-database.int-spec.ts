import { chmod, mkdtemp, rm } from 'node:fs/promises';
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

  it('uses the embedded PostgreSQL of its DATA_DIR, and says so if none runs', async () => {
    const nobodyThere = {
      code: 1,
      stderr: expect.stringContaining(
        `DATABASE_URL is not set, and no embedded PostgreSQL runs in ${DATA_DIR}: `,
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
    expect(await indexer(['verify'], { DATA_DIR })).toMatchObject({ code: 2, stderr: nobodyThere.stderr });
  });
});
