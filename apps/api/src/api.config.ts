import {
  absentWhenEmpty,
  databaseUrl,
  logLevel,
  oneOf,
  redisUrl,
  type Settings,
  type SettingsValues,
  wholeNumber,
} from '@roundhouse/config';
import { telemetrySettings } from '@roundhouse/telemetry';
import { z } from 'zod';
import { clientOf, type TrustedProxies } from './clients/client-address.js';

/**
 * 0 for none; `false` is its older spelling. `true` is not accepted: it would let each client choose its own address.
 */
const trustProxy = z
  .string()
  .transform((text, context): TrustedProxies => {
    if (text === 'false') return 0;
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const addresses = text.split(',').map((address) => address.trim());
    try {
      clientOf(addresses);
      return addresses;
    } catch {
      context.addIssue(
        'it must be the number of proxies in front of the api, or their addresses separated by commas',
      );
      return z.NEVER;
    }
  })
  .default(0);

interface Range {
  /** The default. */
  readonly usual: number;
  readonly least: number;
  readonly most?: number;
}

const number = ({ usual, least, most }: Range, description: string) => ({
  ...{ schema: wholeNumber(usual, least, most), default: String(usual), description },
});

/** Every setting of the api. */
export const apiSettings = {
  DATABASE_URL: {
    schema: databaseUrl,
    default: 'the embedded PostgreSQL (launcher)',
    description:
      'The PostgreSQL database that holds the index. For TLS set sslmode=verify-full; see "TLS" in docs/configuration.md.',
    isSecret: true,
  },
  DATABASE_READ_URL: {
    schema: absentWhenEmpty(databaseUrl.optional()),
    default: 'DATABASE_URL',
    description:
      'The database that the api reads instead: a replica, or the same one under a read-only role.',
    isSecret: true,
  },
  DATABASE_POOLER: {
    schema: absentWhenEmpty(oneOf(['none', 'transaction'], 'none')),
    default: 'none',
    description:
      '`transaction` if a pooler such as PgBouncer stands between the api and its database. The api then uses no statement names, settings and notifications of sessions, and works in any pool mode but that of statements. The indexer needs the database itself.',
  },
  HOST: {
    schema: z.string().min(1, 'it must name an address').default('127.0.0.1'),
    default: '127.0.0.1',
    description: 'The address on which the api listens.',
  },
  PORT: number({ usual: 4003, least: 0, most: 65_535 }, 'The port on which the api listens.'),
  CORE_V1_PORT: {
    schema: absentWhenEmpty(wholeNumber(0, 0, 65_535).unwrap().optional()),
    default: 'absent: /api/v1/… on PORT',
    description:
      'A port on which /api/… answers as a real Core 2.4.15 node did, for programs that spoke to nodes and take only a host and a port. Absent or empty, the api opens no such port.',
  },
  OPS_PORT: number({ usual: 4103, least: 0, most: 65_535 }, 'The internal port for health and metrics.'),
  CACHE_MAX_BYTES: number(
    { usual: 67_108_864, least: 1 },
    'The maximum size of the cache of ready answers, in bytes.',
  ),
  RATE_LIMIT: number(
    { usual: 0, least: 0, most: 1_000_000_000 },
    'How many requests per minute one client (an IPv4 address, or an IPv6 network of 64 bits) may make. With REDIS_URL this counts for all api processes together, without it for each process. 0 sets no limit.',
  ),
  REDIS_URL: {
    schema: absentWhenEmpty(redisUrl.optional()),
    default: 'absent: each process counts alone',
    description:
      'The Redis in which RATE_LIMIT is counted; it is used for nothing else. For TLS use rediss://; see "TLS" in docs/configuration.md.',
    isSecret: true,
  },
  TRUST_PROXY: {
    schema: absentWhenEmpty(trustProxy),
    default: '0',
    description:
      'The number of proxies between the clients and the api, or their addresses, separated by commas. Each of them must append to X-Forwarded-For. The client is the address that the outermost proxy saw.',
  },
  MAX_CONNECTIONS: number(
    { usual: 10_000, least: 1, most: 1_000_000 },
    'The maximum number of connections of one api process. A connection above the limit is closed at once; idle connections are closed too, to make room.',
  ),
  MAX_WAITING_REQUESTS: number(
    { usual: 1000, least: 2, most: 1_000_000 },
    'How many requests may wait for the database at the same time. The same number may wait for one of the MAX_STREAMS places, for payouts, and for long lists of version 1. Clients share these places. Further requests get 503: first those of the client that has most. Requests with a ready answer never wait.',
  ),
  STREAM_FROM_VOTERS: number(
    { usual: 10_000, least: 1, most: 1_000_000 },
    'A list of at least this many voters is streamed: it is sent while it is read, and not kept. A voter takes about 180 bytes.',
  ),
  MAX_STREAMS: number(
    { usual: 4, least: 1, most: 100 },
    'How many lists may be streamed at the same time; the others wait. Each takes a connection to PostgreSQL, in addition to the others of the api.',
  ),
  READY_MAX_LAG: number(
    { usual: 100, least: 0 },
    'How many blocks the index may be behind the node before the api reports that it is not ready. While there is no news of the node, each block time counts as one block behind.',
  ),
  SLOW_REQUEST_MS: number(
    { usual: 1000, least: 0 },
    'Requests that take at least this many milliseconds are logged as slow, with their parameters; 0 logs none.',
  ),
  SLOW_QUERY_MS: number(
    { usual: 500, least: 0 },
    'Queries that take at least this many milliseconds, including the wait for a connection, are logged as slow, with their values; 0 logs none.',
  ),
  EVENTS_MAX_CLIENTS: number(
    { usual: 1000, least: 0, most: 1_000_000 },
    'The maximum number of /events clients of one api process; 0 serves none.',
  ),
  EVENTS_HEARTBEAT_MS: number(
    { usual: 15_000, least: 10, most: 3_600_000 },
    'How often clients of /events get a comment, in milliseconds, so that no proxy closes the connection as idle.',
  ),
  // The whole shutdown must fit into the 10 s that container engines allow.
  SHUTDOWN_DELAY_MS: number(
    { usual: 0, least: 0, most: 5000 },
    'How long the api keeps serving after SIGTERM while it reports that it is not ready, in milliseconds, so that load balancers notice. At most 5000.',
  ),
  LOG_LEVEL: {
    schema: logLevel,
    default: 'info',
    description: 'The least severe level that is logged.',
  },
  ...telemetrySettings,
} as const satisfies Settings;

export type ApiSettings = SettingsValues<typeof apiSettings>;

/** The injection token of the settings. */
export const SETTINGS = Symbol('api settings');
