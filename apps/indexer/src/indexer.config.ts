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

const databaseSettings = {
  DATABASE_URL: {
    schema: databaseUrl,
    default: 'the embedded PostgreSQL (launcher)',
    description:
      'The PostgreSQL database that holds the index; for TLS with sslmode=verify-full and its companions.',
    isSecret: true,
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    default: 'info',
    description: 'The least severe log lines that are written.',
  },
} as const satisfies Settings;

/** What `digest` and `reset` need. */
export const databaseCommandSettings = databaseSettings;

/** Every setting of the indexer. */
export const indexerSettings = {
  BLOCK_SOURCE: {
    schema: z
      .string({ error: 'it must be set to where blocks come from (http://, https://, postgres:// or file:)' })
      .min(1, 'it must be set to where blocks come from (http://, https://, postgres:// or file:)'),
    default: 'the local devnet (launcher)',
    description:
      'Where blocks come from, by scheme: http(s):// the public API of a Core node, postgres:// its database, file: an archive; several, separated by commas, are alternatives in order of preference.',
    isSecret: true,
  },
  ...databaseSettings,
  REDIS_URL: {
    schema: absentWhenEmpty(redisUrl.optional()),
    default: 'absent: the queues live in PostgreSQL',
    description: 'The Redis that holds the job queues; for TLS with rediss:// and its companions.',
    isSecret: true,
  },
  NETWORK: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'asked from the source',
    description:
      "The chain: mainnet, devnet, testnet, or the path of a network configuration; needed where the source is not a node's API.",
  },
  VERIFY: {
    schema: z.enum(['hash', 'full'], { error: 'it must be "hash" or "full"' }).default('hash'),
    default: 'hash',
    description:
      'How blocks are checked: hash (links, ids, payload hashes, totals, and that each generator has its slot) or full (their signatures too). The contents of transactions are taken from the source.',
  },
  UNDO_DEPTH: {
    schema: wholeNumber(10_000, 1),
    default: '10000',
    description: 'For how many blocks below the head before-images are kept, so that a fork can be followed.',
  },
  POLL_INTERVAL_MS: {
    schema: wholeNumber(2_000, 50, 3_600_000),
    default: '2000',
    description:
      'How often the source is asked for its tip while blocks are fetched or none is forged, in milliseconds. While the index follows a living chain it is asked once in each slot, when a block is due, whatever this says.',
  },
  FETCH_CONCURRENCY: {
    schema: wholeNumber(4, 1, 100),
    default: '4',
    description: 'How many ranges one indexer process downloads at the same time.',
  },
  APPLY_BATCH_BLOCKS: {
    schema: wholeNumber(100_000, 1, 100_000),
    default: '100000',
    description: 'The largest number of blocks that are committed in one transaction.',
  },
  STAGED_MAX_BYTES: {
    schema: wholeNumber(67_108_864, 1),
    default: '67108864',
    description: 'Fetching ahead pauses while this many bytes are staged and not applied yet.',
  },
  SLOW_QUERY_MS: {
    schema: wholeNumber(1_000, 0),
    default: '1000',
    description:
      'From how many milliseconds on a statement is logged as slow, with its values; 0 logs none. Rows that are copied in are not timed.',
  },
  WEBHOOK_TOKEN: {
    schema: absentWhenEmpty(z.string().length(64, 'it must be the 64 characters that Core gave').optional()),
    default: 'absent: no webhook is taken',
    description:
      'The whole token that a Core node gave when its webhook for block.applied was made; the node posts to /webhooks/block-applied on the internal port, and the source is asked at once.',
    isSecret: true,
  },
  OPS_PORT: {
    schema: wholeNumber(4104, 0, 65_535),
    default: '4104',
    description: 'The internal port for health, metrics, the queue board and the webhook of a node.',
  },
  HOST: {
    schema: z.string().min(1, 'it must name an address').default('127.0.0.1'),
    default: '127.0.0.1',
    description: 'The address on which the internal port listens.',
  },
  ...telemetrySettings,
} as const satisfies Settings;

export type IndexerSettings = SettingsValues<typeof indexerSettings>;

/** What `rebuild` needs. */
export const rebuildSettings = { ...databaseSettings, UNDO_DEPTH: indexerSettings.UNDO_DEPTH };

export type RebuildSettings = SettingsValues<typeof rebuildSettings>;

export type DatabaseSettings = SettingsValues<typeof databaseSettings>;

/** The settings as a provider. */
export const SETTINGS = Symbol('indexer settings');
