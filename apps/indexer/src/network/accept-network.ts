import { firstDifferentHeight, type Network } from '@roundhouse/chain';
import { claimNetwork, forgetRefusals } from '@roundhouse/storage';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { CurrentNetwork } from '../follow/current-state.js';
import { assertSamePast } from './same-past.js';

/** Stores the configuration of a source. Throws `NetworkConfigError` if its rules for indexed blocks differ. */
export const acceptNetwork = async (
  current: CurrentNetwork,
  told: Network,
  pool: Pool,
  logger: Logger,
): Promise<void> => {
  const known = await current.refresh();
  await assertSamePast(pool, known, told);
  const from = firstDifferentHeight(known, told);
  await claimNetwork(pool, told);
  // Blocks that the old configuration refused may be right.
  await forgetRefusals(pool);
  await current.refresh();
  if (from !== null)
    logger.warn({ from }, 'the source announces other rules for the chain: used from that height on');
};
