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

/** The settings of a command that works on the index alone. */
export const databaseSettings = {
  DATABASE_URL: {
    schema: databaseUrl,
    default: 'the embedded PostgreSQL (launcher)',
    description:
      'The PostgreSQL database that holds the index. For TLS set sslmode=verify-full; see "TLS" in docs/configuration.md.',
    isSecret: true,
  },
  LOG_LEVEL: {
    schema: logLevel,
    default: 'info',
    description: 'The least severe level that is logged.',
  },
} as const satisfies Settings;

/** Every setting of the indexer. */
export const indexerSettings = {
  BLOCK_SOURCE: {
    schema: z
      .string({
        error: 'it must be set to one or more block sources (http://, https://, postgres:// or file:)',
      })
      .min(1, 'it must be set to one or more block sources (http://, https://, postgres:// or file:)'),
    default: 'the local devnet (launcher)',
    description:
      'Where blocks come from: http(s):// is the public API of a Core node, postgres:// its database, file: an archive. A gzipped archive that "indexer export" did not write is slow: it is always read from its beginning. Several sources, separated by commas, are alternatives in order of preference.',
    isSecret: true,
  },
  ...databaseSettings,
  REDIS_URL: {
    schema: absentWhenEmpty(redisUrl.optional()),
    default: 'absent: the queues are in PostgreSQL',
    description:
      'The Redis that holds the job queues. For TLS use rediss://; see "TLS" in docs/configuration.md.',
    isSecret: true,
  },
  NETWORK: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'read from the source',
    description:
      "The chain: mainnet, devnet, testnet, or the path of a network configuration. Required if the source is not a node's API.",
  },
  VERIFY: {
    schema: oneOf(['full', 'hash'], 'full'),
    default: 'full',
    description:
      'How blocks are checked. full: links, ids, payload hashes, totals, the delegate of each slot, and all signatures of blocks and transactions. hash: all but the signatures, for an archive of your own; with it, a lying node can invent blocks in the names of the right delegates.',
  },
  FORGERS: {
    schema: oneOf(['slot', 'active'], 'slot'),
    default: 'slot',
    description:
      'Which blocks are accepted if no possible list of forgers has their generator in its slot. slot: none. active: up to three in a round that a member of one of the lists has signed, with a warning, a metric, and an entry in "indexer status" and "indexer verify".',
  },
  VERIFY_EVERY: {
    schema: wholeNumber(86_400, 0, 31_536_000),
    default: '86400',
    description:
      'How often the leading indexer verifies the index, in seconds; 0 is off. It verifies what is new since the last checkpoint, in the breaks of its work, and reports what it found as metrics and in its log. It changes nothing but the checkpoint.',
  },
  UNDO_DEPTH: {
    schema: wholeNumber(10_000, 1),
    default: '10000',
    description:
      'The number of blocks below the head for which before-images are kept. Forks up to this depth can be followed.',
  },
  HISTORY: {
    schema: oneOf(['full', 'off'], 'off'),
    default: 'off',
    description:
      'Whether a new index keeps history, which answers for any height. full: every change of balances, votes and delegates is kept with its height. An index that exists goes on as it began; "indexer rebuild" builds its history with full and drops it with off.',
  },
  POLL_INTERVAL_MS: {
    schema: wholeNumber(2_000, 50, 3_600_000),
    default: '2000',
    description:
      'How often the source is asked for its tip, in milliseconds, while blocks are being fetched or none are forged. If the index is 1,000 blocks or more behind, the interval is at least 10 s. While the index follows a live chain, the source is instead asked once per slot, when a block is due.',
  },
  FETCH_CONCURRENCY: {
    schema: wholeNumber(4, 1, 100),
    default: '4',
    description: 'The number of ranges that one indexer process downloads at the same time.',
  },
  APPLY_BATCH_BLOCKS: {
    schema: wholeNumber(100_000, 1, 100_000),
    default: '100000',
    description: 'The largest number of blocks that are committed in one transaction.',
  },
  STAGED_MAX_BYTES: {
    schema: wholeNumber(67_108_864, 1),
    default: '67108864',
    description: 'Fetching pauses while this many bytes are staged and not yet applied.',
  },
  SLOW_QUERY_MS: {
    schema: wholeNumber(1_000, 0),
    default: '1000',
    description:
      'Statements that take at least this many milliseconds are logged as slow, with their values; 0 logs none. COPY is not timed.',
  },
  WEBHOOK_TOKEN: {
    schema: absentWhenEmpty(
      z.string().length(64, 'it must be the token of 64 characters that Core returned').optional(),
    ),
    default: 'absent: no webhook is accepted',
    description:
      'The whole token that a Core node returned when its webhook for block.applied was created. The node posts to /webhooks/block-applied on the internal port, and the source is then asked at once.',
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

/** The injection token of the settings. */
export const SETTINGS = Symbol('indexer settings');

/** The injection token of the open source that `BLOCK_SOURCE` names. */
export const SOURCE = Symbol('block source');
