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
import { clientOf, type TrustedProxies } from './limits/client-address.js';

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
  schema: wholeNumber(usual, least, most),
  default: String(usual),
  description,
});

/** Every setting of the api. */
export const apiSettings = {
  DATABASE_URL: {
    schema: databaseUrl,
    default: "npm start's PostgreSQL",
    description: 'The database of the index.',
    isSecret: true,
  },
  DATABASE_READ_URL: {
    schema: absentWhenEmpty(databaseUrl.optional()),
    default: 'DATABASE_URL',
    description: 'The database that the api reads, such as a replica.',
    isSecret: true,
  },
  DATABASE_POOLER: {
    schema: absentWhenEmpty(oneOf(['none', 'transaction'], 'none')),
    default: 'none',
    description:
      "`transaction` if a pooler such as PgBouncer stands between the api and its database. The pooler's own mode must not be `statement`.",
  },
  HOST: {
    schema: z.string().min(1, 'it must name an address').default('127.0.0.1'),
    default: '127.0.0.1',
    description: 'The api listens on this address.',
  },
  PORT: number({ usual: 4003, least: 0, most: 65_535 }, 'The port of the api.'),
  CORE_V1_PORT: {
    schema: absentWhenEmpty(wholeNumber(0, 0, 65_535).unwrap().optional()),
    default: 'absent: /api/v1/… on PORT',
    description:
      'A port on which /api/… answers as a Core 2.4.15 node, for programs that take only a host and a port.',
  },
  CORE_V2_PORT: {
    schema: absentWhenEmpty(wholeNumber(0, 0, 65_535).unwrap().optional()),
    default: 'absent: /api/v2/… on PORT',
    description: 'A port on which /api/… answers as a Core 3.9.1 node.',
  },
  CORE_V2_PREFIX: {
    schema: oneOf(['off', 'on'], 'off').transform((choice) => choice === 'on'),
    default: 'off',
    description: 'on: CORE_V2_PORT also answers /api/v2/…, for programs whose paths have the version.',
  },
  OPS_PORT: number({ usual: 4103, least: 0, most: 65_535 }, 'The internal port for health and metrics.'),
  CACHE_MAX_BYTES: number({ usual: 67_108_864, least: 1 }, 'The maximum size of all kept answers, in bytes.'),
  RATE_LIMIT: number(
    { usual: 0, least: 0, most: 1_000_000_000 },
    'How many requests a minute one client may make; 0 sets no limit. A client is an IPv4 address or an IPv6 network of 64 bits.',
  ),
  REDIS_URL: {
    schema: absentWhenEmpty(redisUrl.optional()),
    default: 'absent: each api counts alone',
    description: 'The Redis in which all apis together count requests for RATE_LIMIT.',
    isSecret: true,
  },
  TRUST_PROXY: {
    schema: absentWhenEmpty(trustProxy),
    default: '0',
    description:
      "How many proxies stand before the api, or their addresses, separated by commas. Each proxy must append its client's address to X-Forwarded-For.",
  },
  MAX_CONNECTIONS: number(
    { usual: 10_000, least: 1, most: 1_000_000 },
    'The most connections of one api; idle connections are closed to make room.',
  ),
  MAX_WAITING_REQUESTS: number(
    { usual: 1000, least: 2, most: 1_000_000 },
    "How many requests may wait for the database. The same limit applies separately to three other kinds of requests: payouts, streamed lists, and expensive lists under /api/v1 and /api/v2. Beyond a limit, the client with the most requests gets 503 (Core's version 2: 429).",
  ),
  STREAM_FROM_VOTERS: number(
    { usual: 10_000, least: 1, most: 1_000_000 },
    'A list of at least this many voters is streamed: sent while the api reads it, and not kept.',
  ),
  MAX_STREAMS: number(
    { usual: 4, least: 1, most: 100 },
    'How many lists may be streamed at a time. Each stream has its own connection to PostgreSQL.',
  ),
  READY_MAX_LAG: number(
    { usual: 100, least: 0 },
    'The api is not ready if the index is more than this many blocks behind the node. While the node is silent, each block time counts as one block behind.',
  ),
  SLOW_REQUEST_MS: number(
    { usual: 1000, least: 0 },
    'Requests of at least this many milliseconds are logged; 0 logs none.',
  ),
  SLOW_QUERY_MS: number(
    { usual: 500, least: 0 },
    'Queries of at least this many milliseconds are logged with their values. The wait for a connection also counts. 0 logs none.',
  ),
  EVENTS_MAX_CLIENTS: number(
    { usual: 1000, least: 0, most: 1_000_000 },
    'The most clients of /events in one api; 0 serves none.',
  ),
  EVENTS_HEARTBEAT_MS: number(
    { usual: 15_000, least: 10, most: 3_600_000 },
    'How often clients of /events get a comment, in milliseconds, so that no proxy closes the connection.',
  ),
  // The whole shutdown must fit into the 10 s that container engines allow.
  SHUTDOWN_DELAY_MS: number(
    { usual: 0, least: 0, most: 5000 },
    'How many milliseconds, at most 5000, the api still serves after SIGTERM. Meanwhile it reports that it is not ready.',
  ),
  LOG_LEVEL: {
    schema: logLevel,
    default: 'info',
    description: 'The least severe level to log.',
  },
  ...telemetrySettings,
} as const satisfies Settings;

export type ApiSettings = SettingsValues<typeof apiSettings>;

/** The injection token of the settings. */
export const SETTINGS = Symbol('api settings');
