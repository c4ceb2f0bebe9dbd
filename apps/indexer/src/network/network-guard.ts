import type { Network } from '@roundhouse/chain';
import type { BlockSource } from '@roundhouse/source';
import { claimNetwork, findNewestBlock, readNetwork } from '@roundhouse/storage';
import type { ClientBase, Pool } from 'pg';
import { OperatorError } from '@roundhouse/config';
import { assertSameMilestones, assertSamePast } from './same-past.js';

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

const cannotBeUsed = ({ name }: Network, error: unknown): OperatorError =>
  new OperatorError(`The configuration of ${name} cannot be used: ${(error as Error).message}`, {
    cause: error,
  });

const assertSameChain = ({ name, nethash }: Network, indexed: string): void => {
  if (nethash === indexed) return;
  throw new OperatorError(
    `The database holds the chain with nethash ${indexed}, but that of ${name} is ${nethash}: ` +
      `name another DATABASE_URL, correct BLOCK_SOURCE or NETWORK, or empty the index with "indexer reset --yes".`,
  );
};

/** Throws `OperatorError` if the network has other rules for blocks that are already indexed. */
const guardPast = async (pool: Pool, network: Network): Promise<void> => {
  const stored = await readNetwork(pool);
  if (stored === null || stored.network.nethash !== network.nethash) return;
  await assertSamePast(pool, stored.network, network).catch((error: unknown) => {
    throw cannotBeUsed(network, error);
  });
};

/** Ties the index to one chain: refuses a database that holds another chain, or blocks made by other rules. */
export const guardNetwork = async (pool: Pool, network: Network): Promise<void> => {
  await guardPast(pool, network);
  assertSameChain(network, await claimNetwork(pool, network));
};

/** Throws `OperatorError` unless the index can be rebuilt by this network: only its `customTypes` may be others. */
export const guardRebuild = async (client: ClientBase, network: Network): Promise<void> => {
  const stored = await readNetwork(client);
  if (stored === null) return;
  assertSameChain(network, stored.network.nethash);
  try {
    assertSameMilestones(stored.network, network, (await findNewestBlock(client))?.height ?? 0);
  } catch (error) {
    throw cannotBeUsed(network, error);
  }
};
