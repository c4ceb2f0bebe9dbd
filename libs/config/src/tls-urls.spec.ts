import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestAuthority } from '@roundhouse/testing';
import pg from 'pg';
import { databaseUrl, resolveDatabaseUrl } from './database-url.js';
import { redisUrl, resolveRedisUrl } from './redis-url.js';

const POSTGRES = 'postgres://me:secret@db.example.com/index';
const REDIS = 'rediss://:secret@redis.example.com:6380/2';

let folder: string;
const files = { ca: '', cert: '', key: '', otherKey: '', empty: '' };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-urls-'));
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const authority = new TestAuthority();
  const { certificate, key } = authority.issue('client');
  files.ca = write('ca.pem', authority.certificate);
  files.cert = write('client.pem', certificate);
  files.key = write('client-key.pem', key);
  files.otherKey = write('other-key.pem', authority.issue('other').key);
  files.empty = write('empty.pem', '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** How `pg` parses a URL. */
const tlsOf = (url: string): unknown =>
  (new pg.Client({ connectionString: url }) as unknown as { connectionParameters: { ssl: unknown } })
    .connectionParameters.ssl;

describe('the URL of a PostgreSQL', () => {
  it('stays unchanged if it says nothing about TLS', () => {
    const url = `${POSTGRES}?application_name=mine`;
    expect(resolveDatabaseUrl(url)).toBe(url);
    expect(tlsOf(url)).toBe(false);
  });

  it('with verify-full, checks authority and name, using the authorities of Node.js if none is named', () => {
    expect(tlsOf(resolveDatabaseUrl(`${POSTGRES}?sslmode=verify-full`))).toEqual({});
    expect(tlsOf(resolveDatabaseUrl(`${POSTGRES}?sslmode=verify-full&sslrootcert=system`))).toEqual({});
    expect(tlsOf(resolveDatabaseUrl(`${POSTGRES}?sslmode=verify-full&sslrootcert=${files.ca}`))).toEqual({
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
    });
  });

  it('with verify-ca, and with require if an authority is named, checks only the authority', () => {
    for (const mode of ['verify-ca', 'require']) {
      expect(tlsOf(resolveDatabaseUrl(`${POSTGRES}?sslmode=${mode}&sslrootcert=${files.ca}`))).toEqual({
        ca: expect.any(String),
        checkServerIdentity: expect.any(Function),
      });
    }
  });

  it('with require alone, encrypts but checks nothing, as libpq does', () => {
    expect(tlsOf(resolveDatabaseUrl(`${POSTGRES}?sslmode=require`))).toEqual({ rejectUnauthorized: false });
  });

  it('does not change when it is resolved a second time', () => {
    const once = resolveDatabaseUrl(
      `${POSTGRES}?sslmode=verify-full&sslcert=${files.cert}&sslkey=${files.key}`,
    );
    expect(resolveDatabaseUrl(once)).toBe(once);
    expect(tlsOf(once)).toMatchObject({ cert: expect.any(String) });
  });

  it.each([
    ['sslmode=prefer', 'its sslmode=prefer does not say whether'],
    ['sslmode=full', 'its sslmode must be one of disable, require, verify-ca, verify-full'],
    ['sslmode=verify-ca', 'its sslmode=verify-ca needs sslrootcert'],
    ['sslmode=require&sslrootcert=system', 'its sslrootcert=system needs sslmode=verify-full'],
    ['sslmode=verify-full&sslrootcert=/none', 'its sslrootcert names /none, which cannot be read (ENOENT)'],
    ['sslmode=verify-full&sslrootcert=EMPTY', 'which is not a PEM file of the right kind'],
    ['sslmode=verify-full&sslrootcert=KEY', 'which is not a PEM file of the right kind'],
    ['sslmode=require&sslcert=CERT', 'its sslcert and sslkey belong together'],
    ['sslmode=require&sslcert=CERT&sslkey=OTHER', 'its sslcert and sslkey do not match'],
  ])('is refused with %s', (parameters, says) => {
    const named = parameters
      .replace('EMPTY', files.empty)
      .replace('CERT', files.cert)
      .replace('KEY', files.key)
      .replace('OTHER', files.otherKey);
    const { error } = databaseUrl.safeParse(`${POSTGRES}?${named}`);
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]?.message).toContain(says);
    expect(error?.issues[0]?.message).not.toContain('secret');
  });
});

describe('the URL of a Redis', () => {
  it('uses no TLS with redis://', () => {
    expect(resolveRedisUrl('redis://h:1/2')).toEqual({ url: 'redis://h:1/2', tls: null });
  });

  it('uses TLS with rediss://, also in capitals', () => {
    expect(resolveRedisUrl(REDIS)).toEqual({ url: REDIS, tls: {} });
    expect(resolveRedisUrl('REDISS://h:1')).toEqual({ url: 'rediss://h:1', tls: {} });
  });

  it('returns the files that it names and keeps its other parameters', () => {
    const url = `${REDIS}?family=6&sslrootcert=${files.ca}&sslcert=${files.cert}&sslkey=${files.key}`;
    expect(resolveRedisUrl(url)).toEqual({
      url: `${REDIS}?family=6`,
      tls: { ca: expect.any(String), cert: expect.any(String), key: expect.any(String) },
    });
  });

  it.each([
    ['redis://h?sslrootcert=/ca.pem', 'its sslrootcert asks for TLS: begin it with rediss://'],
    ['rediss://h?sslrootcert=/none', 'its sslrootcert names /none, which cannot be read (ENOENT)'],
    ['http://h', 'it must be a URL that begins with redis:// or rediss://'],
  ])('is refused as %s', (url, says) => {
    const { error } = redisUrl.safeParse(url);
    expect(error?.issues.map(({ message }) => message)).toEqual([says]);
  });
});
