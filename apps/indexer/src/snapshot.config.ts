import { absentWhenEmpty, type Settings } from '@roundhouse/config';
import { z } from 'zod';
import { databaseSettings, indexerSettings } from './indexer.config.js';

/** Every setting of `indexer snapshot restore`. */
export const snapshotSettings = {
  ...databaseSettings,
  SNAPSHOT: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'absent: --file names it',
    description: 'The snapshot that fills an empty index; with docker compose a file in SNAPSHOT_DIR.',
  },
  NETWORK: {
    ...indexerSettings.NETWORK,
    default: 'absent: any chain',
    description:
      'The chain that the snapshot must have: mainnet, devnet, testnet, or the path of a configuration.',
  },
} as const satisfies Settings;
