import { parseArgs, type ParseArgsConfig } from 'node:util';
import { wholeNumber } from '@roundhouse/config';
import { z } from 'zod';
import { DEFAULT_OPTIONS } from '../chain/make-chain.js';
import { DevnetError } from '../devnet.error.js';
import { ACTIVE_DELEGATES } from '../network/devnet-network.js';
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
    delegates: wholeNumber(DEFAULT_OPTIONS.delegates, ACTIVE_DELEGATES),
    'transactions-per-block': decimal(MOST_MEAN_TRANSACTIONS, DEFAULT_OPTIONS.transactionsPerBlock),
    'miss-rate': decimal(0.9, DEFAULT_OPTIONS.missRate),
    popularity: decimal(1, DEFAULT_OPTIONS.popularity),
    'block-time': wholeNumber(2, 1),
    epoch: z.iso
      .datetime('it must be a moment such as 2017-03-21T13:00:00.000Z')
      .default('2017-03-21T13:00:00.000Z'),
    'no-signatures': z.boolean().default(false),
  })
  .refine(({ accounts, delegates }) => delegates - ACTIVE_DELEGATES <= accounts / 2, {
    path: ['delegates'],
    message: 'it must be at most 51 plus half the accounts, because accounts register as delegates',
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
  'block-time': { type: 'string' },
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

/** Throws a `DevnetError` that names all mistakes. */
export const readGenerateArguments = (args: readonly string[]): GenerateOptions => {
  const values = parse('generate', GENERATE_OPTIONS, generateSchema, args);
  return {
    ...values,
    transactionsPerBlock: values['transactions-per-block'],
    missRate: values['miss-rate'],
    blockTime: values['block-time'],
    hasSignatures: !values['no-signatures'],
  };
};

/** Throws a `DevnetError` that names all mistakes. */
export const readExportArguments = (args: readonly string[]): { to: string; network?: string | undefined } =>
  parse('export', EXPORT_OPTIONS, exportSchema, args);
