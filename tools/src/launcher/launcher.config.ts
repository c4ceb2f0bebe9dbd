import type { Settings, SettingsValues } from '@roundhouse/config';
import { z } from 'zod';

/** An empty variable counts as one that is not set: that is how compose files pass on what is absent. */
const text = () => z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

const PORT_RANGE = 'it must be a port number from 1 to 65535';

const port = (fallback: number) =>
  z.preprocess(
    (value) => (value === '' ? undefined : value),
    z
      .string()
      .regex(/^\d{1,5}$/, PORT_RANGE)
      .transform(Number)
      .refine((value) => value >= 1 && value <= 65_535, PORT_RANGE)
      .default(fallback),
  );

/** What the launcher itself decides by; the apps read and check the rest of the environment. */
export const launcherSettings = {
  DATA_DIR: {
    schema: z.preprocess((value) => (value === '' ? undefined : value), z.string().default('.data')),
    default: '.data',
    description: "Where `npm start` keeps the embedded database, the devnet's chain and the logs.",
  },
  BLOCK_SOURCE: {
    schema: text(),
    default: 'the local devnet',
    description: 'Where blocks come from; the launcher starts no devnet then.',
    isSecret: true,
  },
  DATABASE_URL: {
    schema: text(),
    default: 'the embedded PostgreSQL',
    description: 'The database that holds the index; the launcher starts none then.',
    isSecret: true,
  },
  REDIS_URL: {
    schema: text(),
    default: 'absent: the queues live in PostgreSQL',
    description: 'The Redis that holds the job queues.',
    isSecret: true,
  },
  HOST: { schema: text(), default: '127.0.0.1', description: 'The address on which the api listens.' },
  PORT: { schema: port(4003), default: '4003', description: 'The port on which the api listens.' },
  DEVNET_PORT: {
    schema: port(4200),
    default: '4200',
    description: 'The port on which the local devnet answers.',
  },
  OPS_PORT: {
    schema: port(4103),
    default: '4103',
    description: "The api's internal port; under the launcher the indexer's is the next one.",
  },
} as const satisfies Settings;

export type LauncherSettings = SettingsValues<typeof launcherSettings>;
