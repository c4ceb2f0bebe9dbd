import { logLevel, oneOf, wholeNumber, type Settings } from '@roundhouse/config';
import { DEFAULT_OPTIONS } from '@roundhouse/forging';
import { z } from 'zod';

const MAX_MISS_RATE = 0.9;

const missRate = z
  .string()
  .regex(/^\d*\.?\d+$/, 'it must be a number from 0 to 0.9')
  .default(String(DEFAULT_OPTIONS.missRate))
  .transform(Number)
  .refine((value) => value <= MAX_MISS_RATE, `it must be a number from 0 to ${MAX_MISS_RATE}`);

const flag = oneOf(['true', 'false'], 'false').transform((value) => value === 'true');

/** The settings of `devnet run`. `export` reads only `DATA_DIR`. */
export const devnetSettings = {
  DEVNET_SEED: {
    schema: z.string().min(1, 'it must not be empty').default('roundhouse'),
    description: 'Decides the whole chain: accounts, genesis block, traffic.',
    default: 'roundhouse',
  },
  DEVNET_PORT: {
    schema: wholeNumber(4200, 1, 65_535),
    description: "The port on which the devnet serves Core's public API.",
    default: '4200',
  },
  HOST: {
    schema: z.string().min(1, 'it must not be empty').default('127.0.0.1'),
    description: 'The address to listen on.',
    default: '127.0.0.1',
  },
  DATA_DIR: {
    schema: z.string().min(1, 'it must not be empty').default('.data'),
    description: 'The folder for data; the chain is in its subfolder `devnet`.',
    default: '.data',
  },
  DEVNET_HISTORY: {
    schema: wholeNumber(330, 1, 1_000_000),
    description: 'How many blocks the devnet has after its first start.',
    default: '330',
  },
  DEVNET_BLOCK_TIME: {
    schema: wholeNumber(2, 1, 3_600),
    description: 'Seconds from one slot to the next.',
    default: '2',
  },
  DEVNET_MISS_RATE: {
    schema: missRate,
    description: 'The share of slots that delegates miss, from 0 to 0.9.',
    default: String(DEFAULT_OPTIONS.missRate),
  },
  DEVNET_CONTROL: {
    schema: flag,
    description: 'true: requests to `/devnet/…` can make the devnet fork, restart, pause, forge and fail.',
    default: 'false',
  },
  DEVNET_WEBHOOK_URL: {
    schema: z.url('it must be a URL').optional(),
    description: "The URL to which each forged block is posted, in the form of Core's webhooks.",
    default: 'absent: blocks are not posted',
  },
  DEVNET_WEBHOOK_TOKEN: {
    schema: z.string().length(64, 'it must have 64 characters').default('0'.repeat(64)),
    description: "The webhook's whole token. The devnet sends its first 32 characters.",
    default: '0'.repeat(64),
  },
  LOG_LEVEL: {
    schema: logLevel,
    description: 'The least severe level to log.',
    default: 'info',
  },
} satisfies Settings;
