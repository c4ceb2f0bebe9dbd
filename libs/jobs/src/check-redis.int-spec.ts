import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisUrl, startTlsTestServers, type TlsTestServers } from '@roundhouse/testing';
import { checkRedis } from './check-redis.js';

// Where there is no redis-server, nothing of this can happen on the machine.
const describeWithRedis = redisUrl() === null ? describe.skip : describe;

describeWithRedis('the check of a Redis that takes encrypted connections alone', () => {
  let servers: TlsTestServers;
  let trusting: (url: string) => string;

  beforeAll(async () => {
    servers = await startTlsTestServers();
    trusting = (url) => `${url}?sslrootcert=${servers.files.authority}`;
  });

  afterAll(() => servers.stop());

  it('is content where the authority is named, and our own certificate where it is asked for', async () => {
    const { clientCertificate, clientKey } = servers.files;
    expect(await checkRedis(trusting(servers.redisUrl!))).toBeNull();
    expect(
      await checkRedis(
        `${trusting(servers.mutualRedisUrl!)}&sslcert=${clientCertificate}&sslkey=${clientKey}`,
      ),
    ).toBeNull();
  });

  it.each<[string, () => string, string]>([
    [
      'another authority is named',
      () => `${servers.redisUrl}?sslrootcert=${servers.files.otherAuthority}`,
      "name the certificate of the server's authority in the URL, sslrootcert=/path",
    ],
    [
      'no authority is named',
      () => servers.redisUrl!,
      "name the certificate of the server's authority in the URL, sslrootcert=/path",
    ],
    [
      'the connection would not be encrypted',
      () => servers.redisUrl!.replace('rediss:', 'redis:'),
      'start Redis, mend the address (rediss:// where it speaks TLS)',
    ],
    [
      'it asks for a certificate of ours',
      () => trusting(servers.mutualRedisUrl!),
      'add sslcert=/path and sslkey=/path',
    ],
    [
      'it speaks no TLS',
      () => redisUrl()!.replace('redis:', 'rediss:'),
      'mend the address (redis:// where it speaks no TLS)',
    ],
  ])('says what to do where %s', async (_name, url, says) => {
    const failure = await checkRedis(url()).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'REDIS_UNUSABLE', message: expect.stringContaining(says) });
    expect((failure as Error).message).toMatch(/^REDIS_URL cannot be reached \([^\n]+\): .+, or unset it/);
  });
});
