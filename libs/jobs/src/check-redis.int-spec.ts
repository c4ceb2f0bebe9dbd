import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisUrl, startTlsTestServers, type TlsTestServers } from '@roundhouse/testing';
import { checkRedis } from './check-redis.js';

// Skipped if redis-server is not installed.
const describeWithRedis = redisUrl() === null ? describe.skip : describe;

describeWithRedis('the check of a Redis that accepts only encrypted connections', () => {
  let servers: TlsTestServers;
  let trusting: (url: string) => string;

  beforeAll(async () => {
    servers = await startTlsTestServers();
    trusting = (url) => `${url}?sslrootcert=${servers.files.authority}`;
  });

  afterAll(() => servers.stop());

  it('passes if the URL names the authority, and the client certificate if Redis asks for it', async () => {
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
      'start Redis, correct the address (rediss:// if it uses TLS)',
    ],
    [
      'it asks for a client certificate',
      () => trusting(servers.mutualRedisUrl!),
      'add sslcert=/path and sslkey=/path',
    ],
    [
      'it does not use TLS',
      () => redisUrl()!.replace('redis:', 'rediss:'),
      'correct the address (redis:// if it does not use TLS)',
    ],
  ])('says what to do if %s', async (_name, url, says) => {
    const failure = await checkRedis(url()).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'REDIS_UNUSABLE', message: expect.stringContaining(says) });
    expect((failure as Error).message).toMatch(/^REDIS_URL cannot be reached \([^\n]+\): .+, or unset it/);
  });
});
