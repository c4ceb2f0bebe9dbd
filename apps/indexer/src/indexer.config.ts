import { RULE_NAMES, Rules, type RuleName } from '@roundhouse/chain';
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
import { addressRangeOf, type AddressRange } from './webhooks/addresses.js';

const isRuleName = (name: string): name is RuleName => (RULE_NAMES as readonly string[]).includes(name);

const ruleNames = z
  .string()
  .default('')
  .transform((text, context): ReadonlySet<RuleName> => {
    const names = text.split(',').map((name) => name.trim());
    const given = names.filter((name) => name !== '');
    if (given.every(isRuleName)) return new Set(given);
    context.addIssue({
      code: 'custom',
      message: `it must hold names of rules, separated by commas: ${RULE_NAMES.join(', ')}`,
    });
    return z.NEVER;
  });

const addressRanges = z.string().transform((text, context): readonly AddressRange[] => {
  const ranges = text.split(',').map((part) => addressRangeOf(part.trim()));
  if (ranges.every((range) => range !== null)) return ranges;
  context.addIssue({
    code: 'custom',
    message: 'it must hold addresses or ranges (10.0.0.0/8), separated by commas',
  });
  return z.NEVER;
});

const LOOPBACK = '127.0.0.1,::1';

/** The settings of a command that works on the index alone. */
export const databaseSettings = {
  DATABASE_URL: {
    schema: databaseUrl,
    default: "npm start's PostgreSQL",
    description: 'The database of the index.',
    isSecret: true,
  },
  LOG_LEVEL: {
    schema: logLevel,
    default: 'info',
    description: 'The least severe level to log.',
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
    default: 'the devnet of npm start',
    description:
      'Where blocks come from: the public API of a Core node (http(s)://), its database (postgres://) or an archive (file:). Commas separate several sources; the first is preferred.',
    isSecret: true,
  },
  ...databaseSettings,
  REDIS_URL: {
    schema: absentWhenEmpty(redisUrl.optional()),
    default: 'absent: the queues are in PostgreSQL',
    description: 'The Redis of the job queues. Two indexes (databases) of one chain need two Redis servers.',
    isSecret: true,
  },
  NETWORK: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'read from the source',
    description:
      "The chain: mainnet, devnet, testnet, or the path of a network configuration. Required for a node's database or an archive.",
  },
  VERIFY: {
    schema: oneOf(['full', 'hash'], 'full'),
    default: 'full',
    description:
      'full: blocks and all signatures are checked. hash: signatures are not checked. Use hash only for your own archive: a lying node could invent blocks.',
  },
  FORGERS: {
    schema: oneOf(['slot', 'active'], 'slot'),
    default: 'slot',
    description:
      "slot: a block in another delegate's slot is refused. active: in each round, up to three such blocks of active delegates are accepted with a warning.",
  },
  LENIENT_RULES: {
    schema: ruleNames,
    default: 'none',
    description:
      'Names of rules, separated by commas. A block that breaks one of these rules is accepted with a warning. The message about a refused block names the rule.',
  },
  MAX_UNKNOWN_FEE: {
    schema: wholeNumber(10_000_000_000, 0).transform(BigInt),
    default: '10000000000',
    description: 'The highest fee of a transaction of an unknown type, in 1/100,000,000 of a token.',
  },
  VERIFY_EVERY: {
    schema: wholeNumber(86_400, 0, 31_536_000),
    default: '86400',
    description:
      'This many seconds after a verification, the leader verifies again, from the checkpoint on. 0: never.',
  },
  UNDO_DEPTH: {
    schema: wholeNumber(10_000, 1),
    default: '10000',
    description:
      'How many of the newest blocks keep before-images and can be undone. At a deeper fork, the indexer stops.',
  },
  HISTORY: {
    schema: oneOf(['full', 'off'], 'off'),
    default: 'off',
    description:
      'full: a new index keeps the balances, votes and delegates of every height; "indexer rebuild" adds or drops the history of an existing index.',
  },
  FINAL_HEIGHT: {
    schema: absentWhenEmpty(wholeNumber(0, 0).unwrap().optional()),
    default: 'absent: the height that was set last, if any',
    description:
      'For a chain that ends: the height of its last block. The index ends there, is verified, and then needs no source. 0: the chain does not end.',
  },
  FINAL_BLOCK_ID: {
    schema: absentWhenEmpty(
      z
        .string()
        .regex(/^(\d{1,20}|[0-9a-f]{64})$/, 'it must be the id of a block')
        .optional(),
    ),
    default: 'absent',
    description:
      "The id of the block at FINAL_HEIGHT. If absent, the indexer waits one round's time after this block, then takes the source's id.",
  },
  POLL_INTERVAL_MS: {
    schema: wholeNumber(2_000, 50, 3_600_000),
    default: '2000',
    description:
      'The milliseconds between two requests for the tip of the source; at least 10000 while 1000 or more blocks are missing. At the tip of a growing chain, the indexer instead asks when a block is due.',
  },
  FETCH_CONCURRENCY: {
    schema: wholeNumber(4, 1, 100),
    default: '4',
    description: 'How many ranges of blocks one indexer fetches at a time.',
  },
  APPLY_BATCH_BLOCKS: {
    schema: wholeNumber(100_000, 1, 100_000),
    default: '100000',
    description: 'The most blocks in a batch.',
  },
  STAGED_MAX_BYTES: {
    schema: wholeNumber(67_108_864, 1),
    default: '67108864',
    description: 'Fetching pauses while this many bytes wait to be applied.',
  },
  SLOW_QUERY_MS: {
    schema: wholeNumber(1_000, 0),
    default: '1000',
    description:
      'Statements of at least this many milliseconds, except COPY, are logged with their values; 0 logs none.',
  },
  WEBHOOK_TOKEN: {
    schema: absentWhenEmpty(
      z.string().length(64, 'it must be the token of 64 characters that Core returned').optional(),
    ),
    default: 'absent: no webhook is accepted',
    description:
      "The whole token (64 characters) of a Core node's webhook for block.applied. With each request to /webhooks/block-applied on OPS_PORT, the node sends only the token's first 32 characters.",
    isSecret: true,
  },
  CORE_WEBHOOKS_PORT: {
    schema: absentWhenEmpty(wholeNumber(0, 0, 65_535).unwrap().optional()),
    default: 'absent: no webhooks can be registered',
    description: 'The port on which programs register webhooks, as on a Core 3.9.1 node.',
  },
  CORE_WEBHOOKS_WHITELIST: {
    schema: absentWhenEmpty(addressRanges.prefault(LOOPBACK)),
    default: LOOPBACK,
    description: 'Addresses and ranges from which programs may register webhooks.',
  },
  CORE_WEBHOOKS_TIMEOUT: {
    schema: wholeNumber(1_500, 100, 60_000),
    default: '1500',
    description: 'How long a receiver may take to answer, in milliseconds.',
  },
  CORE_WEBHOOKS_TARGETS: {
    schema: oneOf(['public', 'any'], 'public'),
    default: 'public',
    description: 'public: receivers must have public addresses; any: private addresses are allowed.',
  },
  CORE_WEBHOOKS_QUEUE: {
    schema: wholeNumber(500_000, 1_000, 100_000_000),
    default: '500000',
    description: 'How many events of each kind may wait for receivers. If more wait, the oldest are dropped.',
  },
  OPS_PORT: {
    schema: wholeNumber(4104, 0, 65_535),
    default: '4104',
    description: "The internal port for health, metrics, the queue board and a node's webhook.",
  },
  HOST: {
    schema: z.string().min(1, 'it must name an address').default('127.0.0.1'),
    default: '127.0.0.1',
    description: 'The address on which the internal port listens.',
  },
  ...telemetrySettings,
} as const satisfies Settings;

export type IndexerSettings = SettingsValues<typeof indexerSettings>;

const { LENIENT_RULES, MAX_UNKNOWN_FEE } = indexerSettings;

/** The settings of every program that applies blocks. */
export const ruleSettings = { LENIENT_RULES, MAX_UNKNOWN_FEE };

/** The rules that an operator wants kept, with the clock of this machine. */
export const rulesOf = (settings: Pick<IndexerSettings, keyof typeof ruleSettings>): Rules =>
  new Rules({
    lenient: settings.LENIENT_RULES,
    mostUnknownFee: settings.MAX_UNKNOWN_FEE,
    now: () => Date.now(),
  });

/** The injection token of the settings. */
export const SETTINGS = Symbol('indexer settings');

/** The injection token of the open source that `BLOCK_SOURCE` names. */
export const SOURCE = Symbol('block source');
