import { absentWhenEmpty, wholeNumber, type Settings, type SettingsValues } from '@roundhouse/config';
import { z } from 'zod';
import { databaseSettings } from './indexer.config.js';

const roleName = absentWhenEmpty(
  z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'it must be a name of lower-case letters, digits and underscores')
    .optional(),
);

const password = absentWhenEmpty(z.string().optional());

/** Every setting of `indexer migrate`. */
export const migrateSettings = {
  ...databaseSettings,
  SQL_VIEWS: {
    schema: absentWhenEmpty(z.enum(['on', 'off'], { error: 'it must be "on" or "off"' }).optional()),
    default: 'absent: existing views stay and are updated',
    description:
      "`on` makes views in the schema `public`, for programs that read a node's tables: see docs/sql.md. `off` drops the views.",
  },
  SQL_ROLE: {
    schema: roleName,
    default: 'roundhouse_sql if SQL_DATABASE_PASSWORD is set',
    description:
      'The role that reads only the views. If SQL_DATABASE_PASSWORD is set, the role is created; otherwise it must exist.',
  },
  SQL_DATABASE_PASSWORD: {
    schema: password,
    default: 'absent',
    description: 'The password of SQL_ROLE.',
    isSecret: true,
  },
  SQL_CONNECTION_LIMIT: {
    schema: wholeNumber(10, 1, 10_000),
    default: '10',
    description: 'The most sessions of SQL_ROLE.',
  },
  SQL_MAX_SECONDS: {
    schema: wholeNumber(30, 1, 86_400),
    default: '30',
    description:
      'How many seconds a statement or a transaction of SQL_ROLE may take. Then the indexer ends the session.',
  },
  API_ROLE: {
    schema: roleName,
    default: 'roundhouse_api if API_DATABASE_PASSWORD is set',
    description:
      "The api's role. If API_DATABASE_PASSWORD is set, the role is created; otherwise it must exist.",
  },
  API_DATABASE_PASSWORD: {
    schema: password,
    default: "absent: the api's role is not changed",
    description: "The password of the api's role.",
    isSecret: true,
  },
  API_CONNECTION_LIMIT: {
    schema: wholeNumber(90, 1, 10_000),
    default: '90',
    description: "The most sessions of the api's role; one api has up to 14, plus MAX_STREAMS.",
  },
  INDEXER_ROLE: {
    schema: roleName,
    default: 'roundhouse_indexer if INDEXER_DATABASE_PASSWORD is set',
    description:
      "The indexer's role. If INDEXER_DATABASE_PASSWORD is set, the role is created; otherwise it must exist.",
  },
  INDEXER_DATABASE_PASSWORD: {
    schema: password,
    default: "absent: the indexer's role is not changed",
    description: "The password of the indexer's role.",
    isSecret: true,
  },
  INDEXER_CONNECTION_LIMIT: {
    schema: wholeNumber(40, 1, 10_000),
    default: '40',
    description: "The most sessions of the indexer's role; one indexer has up to 15.",
  },
} as const satisfies Settings;

export type MigrateSettings = SettingsValues<typeof migrateSettings>;
