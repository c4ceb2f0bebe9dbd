import { parseArgs, type ParseArgsConfig } from 'node:util';
import { wholeNumber } from '@roundhouse/config';
import { ACTIVE_DELEGATES, DEFAULT_OPTIONS, PUB_KEY_HASH } from '@roundhouse/forging';
import { z } from 'zod';
import { DevnetError } from '../devnet.error.js';
import type { GenerateOptions } from './generate.js';

const decimal = (most: number, otherwise: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d*\.?\d+$/, 'it must be a number')
    .default(String(otherwise))
    .transform(Number)
    .pipe(z.number().max(most, `it must be ${most} or less`));

/** Enough accounts to keep the traffic going, in addition to the delegates of the genesis block. */
const LEAST_ACCOUNTS = 50;
const MOST_MEAN_TRANSACTIONS = 75;

const generateSchema = z
  .object({
    blocks: wholeNumber(1_000, 1),
    out: z.string('it must name the archive to write'),
    network: z.string().optional(),
    seed: z.string().min(1).default('roundhouse'),
    accounts: wholeNumber(DEFAULT_OPTIONS.accounts, LEAST_ACCOUNTS),
    delegates: wholeNumber(DEFAULT_OPTIONS.delegates, 1),
    'active-delegates': wholeNumber(ACTIVE_DELEGATES, 1, 255),
    'address-prefix': wholeNumber(PUB_KEY_HASH, 0, 255),
    'transactions-per-block': decimal(MOST_MEAN_TRANSACTIONS, DEFAULT_OPTIONS.transactionsPerBlock),
    'miss-rate': decimal(0.9, DEFAULT_OPTIONS.missRate),
    popularity: decimal(1, DEFAULT_OPTIONS.popularity),
    'block-time': wholeNumber(2, 1),
    'block-time-change': z
      .string()
      .regex(/^[1-9]\d*:[1-9]\d*$/, 'it must be a height and seconds, such as 200:4')
      .optional(),
    misplaced: z
      .string()
      .regex(/^[1-9]\d*$/, 'it must be a height')
      .transform(Number)
      .optional(),
    epoch: z.iso
      .datetime('it must be a moment such as 2017-03-21T13:00:00.000Z')
      .default('2017-03-21T13:00:00.000Z'),
    'no-signatures': z.boolean().default(false),
  })
  .refine((values) => values.delegates >= values['active-delegates'], {
    path: ['delegates'],
    message: 'it must be at least the number of active delegates',
  })
  .refine((values) => values.delegates - values['active-delegates'] <= values.accounts / 2, {
    path: ['delegates'],
    message:
      'it must be at most the active delegates plus half the accounts, because accounts register as delegates',
  });

const exportSchema = z.object({
  to: z.string('it must name the archive to write'),
  network: z.string().optional(),
});

const GENERATE_OPTIONS = {
  blocks: { type: 'string' },
  out: { type: 'string' },
  network: { type: 'string' },
  seed: { type: 'string' },
  accounts: { type: 'string' },
  delegates: { type: 'string' },
  'transactions-per-block': { type: 'string' },
  'miss-rate': { type: 'string' },
  popularity: { type: 'string' },
  'active-delegates': { type: 'string' },
  'address-prefix': { type: 'string' },
  'block-time': { type: 'string' },
  'block-time-change': { type: 'string' },
  misplaced: { type: 'string' },
  epoch: { type: 'string' },
  'no-signatures': { type: 'boolean' },
} as const;

const EXPORT_OPTIONS = { to: { type: 'string' }, network: { type: 'string' } } as const;

const parse = <T>(
  command: string,
  options: NonNullable<ParseArgsConfig['options']>,
  schema: z.ZodType<T>,
  args: readonly string[],
): T => {
  let values: unknown;
  try {
    values = parseArgs({ args: [...args], options, strict: true }).values;
  } catch (cause) {
    throw new DevnetError(`devnet ${command}: ${(cause as Error).message}`, { cause });
  }
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`);
  throw new DevnetError(`devnet ${command}: ${problems.join('; ')}.`);
};

const blockTimeChangeOf = (text: string | undefined): GenerateOptions['blockTimeChange'] => {
  if (text === undefined) return undefined;
  const [height, blockTime] = text.split(':').map(Number);
  return { height: height!, blockTime: blockTime! };
};

/** Throws a `DevnetError` that names all mistakes. */
export const readGenerateArguments = (args: readonly string[]): GenerateOptions => {
  const values = parse('generate', GENERATE_OPTIONS, generateSchema, args);
  return {
    ...values,
    transactionsPerBlock: values['transactions-per-block'],
    missRate: values['miss-rate'],
    form: { activeDelegates: values['active-delegates'], pubKeyHash: values['address-prefix'] },
    blockTime: values['block-time'],
    blockTimeChange: blockTimeChangeOf(values['block-time-change']),
    hasSignatures: !values['no-signatures'],
  };
};

/** Throws a `DevnetError` that names all mistakes. */
export const readExportArguments = (args: readonly string[]): { to: string; network?: string | undefined } =>
  parse('export', EXPORT_OPTIONS, exportSchema, args);
