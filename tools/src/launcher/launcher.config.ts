import type { Settings, SettingsValues } from '@roundhouse/config';
import { z } from 'zod';

/** An empty variable counts as one that is not set: that is how compose files pass on what is absent. */
const text = () => z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

const port = (fallback: number) =>
  z.preprocess(
    (value) => (value === '' ? undefined : value),
    z
      .string()
      .regex(/^\d{1,5}$/, 'it must be a port number')
      .transform(Number)
      .refine((value) => value >= 1 && value <= 65_535, 'it must be a port number from 1 to 65535')
      .default(fallback),
  );

/** What the launcher itself decides by; the apps read and check the rest of the environment. */
export const launcherSettings = {
  DATA_DIR: {
    schema: z.preprocess((value) => (value === '' ? undefined : value), z.string().default('.data')),
    default: '.data',
    description: "Where `npm start` keeps the embedded database, the devnet's chain and the logs.",
  },
  BLOCK_SOURCE: { schema: text(), default: '', description: '', isSecret: true },
  DATABASE_URL: { schema: text(), default: '', description: '', isSecret: true },
  REDIS_URL: { schema: text(), default: '', description: '', isSecret: true },
  NETWORK: { schema: text(), default: '', description: '' },
  HOST: { schema: text(), default: '', description: '' },
  PORT: { schema: port(4003), default: '4003', description: '' },
  DEVNET_PORT: {
    schema: port(4200),
    default: '4200',
    description: 'Where the local devnet answers, on 127.0.0.1.',
  },
  OPS_PORT: { schema: port(4103), default: '4103', description: '' },
} as const satisfies Settings;

export type LauncherSettings = SettingsValues<typeof launcherSettings>;
