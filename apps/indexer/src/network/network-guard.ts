import type { Network } from '@roundhouse/chain';
import type { BlockSource } from '@roundhouse/source';
import { claimNetwork, readNetwork, readPosition } from '@roundhouse/storage';
import type { Pool } from 'pg';
import { OperatorError } from '@roundhouse/config';
import { assertSamePast } from './current-network.js';

/** The injection token of the network. */
export const NETWORK = Symbol('network');

/** The configured network, or else the source's. */
export const determineNetwork = async (configured: Network | null, source: BlockSource): Promise<Network> => {
  const network = configured ?? (await source.network());
  if (network !== null) return network;
  throw new OperatorError(
    `The source ${source.name} does not report its chain: set NETWORK to mainnet, devnet, testnet or the path of a network configuration.`,
  );
};

/** Throws `OperatorError` if the network has other rules for blocks that are already indexed. */
const guardPast = async (pool: Pool, network: Network): Promise<void> => {
  const stored = await readNetwork(pool);
  const { head } = await readPosition(pool);
  if (stored === null || head === null || stored.network.nethash !== network.nethash) return;
  try {
    assertSamePast(stored.network, network, head.height);
  } catch (error) {
    throw new OperatorError(
      `The configuration of ${network.name} cannot be used: ${(error as Error).message}`,
      { cause: error },
    );
  }
};

/** Ties the index to one chain: refuses a database that holds another chain, or blocks made by other rules. */
export const guardNetwork = async (pool: Pool, network: Network): Promise<void> => {
  await guardPast(pool, network);
  const nethash = await claimNetwork(pool, network);
  if (nethash === network.nethash) return;
  throw new OperatorError(
    `The database holds the chain with nethash ${nethash}, but the source's (${network.name}) is ${network.nethash}: ` +
      `name another DATABASE_URL, correct BLOCK_SOURCE or NETWORK, or empty the index with "indexer reset --yes".`,
  );
};
