import {
  absentWhenEmpty,
  databaseUrl,
  redisUrl,
  type Settings,
  type SettingsValues,
  wholeNumber,
} from '@roundhouse/config';
import { telemetrySettings } from '@roundhouse/telemetry';
import { z } from 'zod';
import { clientOf, type TrustedProxies } from './clients/client-address.js';

/** 0 for none; `false` is the older word for it. `true` would let each client say who it is. */
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

/** Every setting of the api. */
export const apiSettings = {
  DATABASE_URL: {
    schema: databaseUrl,
    default: 'the embedded PostgreSQL (launcher)',
    description:
      'The PostgreSQL database that holds the index; for TLS with sslmode=verify-full and its companions.',
    isSecret: true,
  },
  DATABASE_READ_URL: {
    schema: absentWhenEmpty(databaseUrl.optional()),
    default: 'DATABASE_URL',
    description:
      'What the api reads instead: a replica, or the same database under a role that can only read.',
    isSecret: true,
  },
  HOST: {
    schema: z.string().min(1, 'it must name an address').default('127.0.0.1'),
    default: '127.0.0.1',
    description: 'The address on which the api listens.',
  },
  PORT: {
    schema: wholeNumber(4003, 0, 65_535),
    default: '4003',
    description: 'The port on which the api listens.',
  },
  OPS_PORT: {
    schema: wholeNumber(4103, 0, 65_535),
    default: '4103',
    description: 'The internal port for health and metrics.',
  },
  CACHE_MAX_BYTES: {
    schema: wholeNumber(67_108_864, 1, Number.MAX_SAFE_INTEGER),
    default: '67108864',
    description: 'How many bytes of ready answers are kept at most.',
  },
  RATE_LIMIT: {
    schema: wholeNumber(0, 0, 1_000_000_000),
    default: '0',
    description:
      'How many requests a minute one client (an IPv4 address, or an IPv6 network of 64 bits) may make: of all api processes together where REDIS_URL is set, of each one where not; 0 sets no limit.',
  },
  REDIS_URL: {
    schema: absentWhenEmpty(redisUrl.optional()),
    default: 'absent: each process counts alone',
    description:
      'The Redis in which RATE_LIMIT is counted, used for nothing else; for TLS with rediss:// and its companions.',
    isSecret: true,
  },
  TRUST_PROXY: {
    schema: absentWhenEmpty(trustProxy),
    default: '0',
    description:
      'How many proxies stand between the clients and the api, each of which adds to X-Forwarded-For: the client is who the outermost of them saw. Or their addresses, separated by commas.',
  },
  MAX_CONNECTIONS: {
    schema: wholeNumber(10_000, 1, 1_000_000),
    default: '10000',
    description:
      'How many connections one api process has at once; one more is closed, and so are those that are kept and not in use.',
  },
  MAX_WAITING_REQUESTS: {
    schema: wholeNumber(1000, 1, 1_000_000),
    default: '1000',
    description:
      'How many requests may wait for the database at once; one more is refused with 503. Those whose answers are ready never wait.',
  },
  READY_MAX_LAG: {
    schema: wholeNumber(100, 0, Number.MAX_SAFE_INTEGER),
    default: '100',
    description:
      'How many blocks the index may be behind the node before the api counts as not ready; while nothing is heard of the node, each block time counts as one.',
  },
  SLOW_REQUEST_MS: {
    schema: wholeNumber(1000, 0, Number.MAX_SAFE_INTEGER),
    default: '1000',
    description:
      'From how many milliseconds on a request is logged as slow, with its parameters; 0 logs none.',
  },
  SLOW_QUERY_MS: {
    schema: wholeNumber(500, 0, Number.MAX_SAFE_INTEGER),
    default: '500',
    description:
      'From how many milliseconds on, a wait for a connection included, a query is logged as slow, with its values; 0 logs none.',
  },
  EVENTS_MAX_CLIENTS: {
    schema: wholeNumber(1000, 0, 1_000_000),
    default: '1000',
    description: 'How many clients of /events one api process serves at once; 0 serves none.',
  },
  EVENTS_HEARTBEAT_MS: {
    schema: wholeNumber(15_000, 10, 3_600_000),
    default: '15000',
    description:
      'After how many milliseconds the clients of /events are sent another comment, so that nobody on the way takes the connection for dead.',
  },
  SHUTDOWN_DELAY_MS: {
    // The whole stop has to fit into the 10 s that container engines give.
    schema: wholeNumber(0, 0, 5000),
    default: '0',
    description:
      'For how many milliseconds after SIGTERM the api, no longer ready, serves as before, so that those who balance the load notice; 5000 at most.',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    default: 'info',
    description: 'The least severe log lines that are written.',
  },
  ...telemetrySettings,
} as const satisfies Settings;

export type ApiSettings = SettingsValues<typeof apiSettings>;

/** The settings as a provider. */
export const SETTINGS = Symbol('api settings');
