import { absentWhenEmpty, type Settings } from '@roundhouse/config';
import { z } from 'zod';
import { databaseSettings, indexerSettings } from './indexer.config.js';

/** Every setting of `indexer snapshot create`. */
export const snapshotCreateSettings = {
  ...databaseSettings,
  SIGNING_PASSWORD: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'absent: the key is not encrypted',
    description: 'The password of the minisign secret key that --sign names.',
    isSecret: true,
  },
} as const satisfies Settings;

/** Every setting of `indexer snapshot restore`. */
export const snapshotSettings = {
  ...databaseSettings,
  SNAPSHOT: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'absent: --file names it',
    description:
      "The folder or file of the snapshot that fills an empty index. With docker compose: the snapshot's name in SNAPSHOT_DIR.",
  },
  SNAPSHOT_PUBLIC_KEY: {
    schema: absentWhenEmpty(z.string().optional()),
    default: 'absent: --trust names it, or the snapshot need not be signed',
    description: 'The public key of minisign, or its file. The snapshot must be signed with this key.',
  },
  NETWORK: {
    ...indexerSettings.NETWORK,
    default: 'absent: any chain',
    description:
      'The chain that the snapshot must have: mainnet, devnet, testnet, or the path of a network configuration.',
  },
} as const satisfies Settings;
