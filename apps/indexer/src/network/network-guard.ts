import type { Network } from '@roundhouse/chain';
import type { BlockSource } from '@roundhouse/source';
import { claimNetwork } from '@roundhouse/storage';
import type { Pool } from 'pg';
import { OperatorError } from '@roundhouse/config';

/** The network as a provider. */
export const NETWORK = Symbol('network');

/** The configured network, else the one that the source tells. */
export const determineNetwork = async (configured: Network | null, source: BlockSource): Promise<Network> => {
  const network = configured ?? (await source.network());
  if (network !== null) return network;
  throw new OperatorError(
    `The source ${source.name} cannot tell which chain it has: set NETWORK to mainnet, devnet, testnet or the path of a network configuration.`,
  );
};

/** Ties the index to one chain for good: a database that holds another chain is refused. */
export const guardNetwork = async (pool: Pool, network: Network): Promise<void> => {
  const nethash = await claimNetwork(pool, network);
  if (nethash === network.nethash) return;
  throw new OperatorError(
    `The database holds the chain with nethash ${nethash}, but the source's (${network.name}) is ${network.nethash}: ` +
      `name another DATABASE_URL, mend BLOCK_SOURCE or NETWORK, or empty the index with "indexer reset --yes".`,
  );
};
