import type { RunningApi } from '@roundhouse/api';
import { migrate } from '@roundhouse/entities';
import { startTlsTestServers, type TlsTestServers } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { HEAD_HEIGHT } from './support/hand-made-chain.js';
import { openDatabase, seedChain } from './support/seed.js';

const SELECT_SESSIONS = `
  SELECT DISTINCT application_name AS name, ssl AS "isEncrypted" FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
  WHERE datname = current_database() AND application_name LIKE 'roundhouse%' ORDER BY 1`;

describe('with a database that accepts only encrypted connections, the api', () => {
  let servers: TlsTestServers;
  let url: string;
  let verified: string;

  beforeAll(async () => {
    servers = await startTlsTestServers();
    url = await servers.createDatabase();
    verified = `${url}?sslmode=verify-full&sslrootcert=${servers.files.authority}`;
    await migrate(verified);
  });

  afterAll(() => servers.stop());

  it('answers, and all its sessions are encrypted', async () => {
    const database = await openDatabase(verified);
    await seedChain(database);
    let api: RunningApi | undefined;
    try {
      api = await startApi(verified);
      const answer = await fetch(`${api.url}/api/blocks/getHeight`);
      expect(await answer.json()).toMatchObject({ success: true, height: HEAD_HEIGHT });
      expect(await database.query(SELECT_SESSIONS)).toEqual([
        { name: 'roundhouse-api', isEncrypted: true },
        { name: 'roundhouse-api-head', isEncrypted: true },
      ]);
    } finally {
      await api?.close();
      await database.destroy();
    }
  });

  it.each([
    [
      'has another authority',
      () => `${url}?sslmode=verify-ca&sslrootcert=${servers.files.otherAuthority}`,
      "certificate in certificate chain): name the certificate of the server's authority in the URL",
    ],
    [
      'would be read over a connection that is not encrypted',
      () => url,
      'no encryption): the server accepts only encrypted connections: add sslmode=verify-full',
    ],
  ])('says what to do if its database %s, and names the variable', async (_name, readUrl, says) => {
    const failure = await startApi(verified, { DATABASE_READ_URL: readUrl() }).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'OPERATOR', message: expect.stringContaining(says) });
    expect((failure as Error).message).toMatch(/ or correct DATABASE_READ_URL\.$/);
  });
});
