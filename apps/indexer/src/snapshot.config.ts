import { absentWhenEmpty, type Settings } from '@roundhouse/config';
import { z } from 'zod';
import { databaseSettings, indexerSettings } from './indexer.config.js';

/** Every setting of `indexer snapshot restore`. */
export const snapshotSettings = {
  ...databaseSettings,
  SNAPSHOT: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'absent: --file names it',
    description:
      'The snapshot that an empty index is filled from. With docker compose: a file in SNAPSHOT_DIR, used at the first start.',
  },
  NETWORK: {
    ...indexerSettings.NETWORK,
    default: 'absent: any chain',
    description:
      'The chain that the snapshot must be of: mainnet, devnet, testnet, or the path of a network configuration.',
  },
} as const satisfies Settings;
