import type { Settings, SettingsValues } from '@roundhouse/config';
import { absentWhenEmpty, databaseUrl, redisUrl } from '@roundhouse/config';
import { z } from 'zod';
import { urlAt } from './url-at.js';

const portNumber = (most = 65_535) => {
  const range = `it must be a port number from 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,5}$/, range)
    .transform(Number)
    .refine((value) => value >= 1 && value <= most, range);
};

const port = (fallback: number, most?: number) => absentWhenEmpty(portNumber(most).default(fallback));

/** The settings that the launcher itself uses. The apps read and check the rest of the environment. */
export const launcherSettings = {
  DATA_DIR: {
    schema: absentWhenEmpty(z.string().default('.data')),
    default: '.data',
    description: "The folder of the embedded database, the devnet's chain and the logs.",
  },
  BLOCK_SOURCE: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'the local devnet',
    description: 'Where blocks come from; if set, no devnet is started.',
    isSecret: true,
  },
  DATABASE_URL: {
    schema: absentWhenEmpty(databaseUrl.optional()),
    default: 'the embedded PostgreSQL',
    description: 'The database of the index; if set, no PostgreSQL is started.',
    isSecret: true,
  },
  REDIS_URL: {
    schema: absentWhenEmpty(redisUrl.optional()),
    default: 'absent: the queues are in PostgreSQL',
    description: 'The Redis of the job queues.',
    isSecret: true,
  },
  HOST: {
    schema: absentWhenEmpty(
      z
        .string()
        .refine((host) => URL.canParse(urlAt(host, 1)), 'it must be an address or a host name')
        .default('127.0.0.1'),
    ),
    default: '127.0.0.1',
    description: 'The api listens on this address.',
  },
  PORT: { schema: port(4003), default: '4003', description: 'The port of the api.' },
  CORE_V1_PORT: {
    schema: absentWhenEmpty(portNumber().optional()),
    default: 'absent: /api/v1/… on PORT',
    description: "The port of Core's version 1.",
  },
  CORE_V2_PORT: {
    schema: absentWhenEmpty(portNumber().optional()),
    default: 'absent: /api/v2/… on PORT',
    description: "The port of Core's version 2.",
  },
  DEVNET_PORT: {
    schema: port(4200),
    default: '4200',
    description: 'The port of the local devnet.',
  },
  OPS_PORT: {
    // The indexer uses the next port.
    schema: port(4103, 65_534),
    default: '4103',
    description: "The api's internal port; the indexer uses the next port.",
  },
} as const satisfies Settings;

export type LauncherSettings = SettingsValues<typeof launcherSettings>;
