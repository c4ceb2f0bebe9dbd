import { parseNetwork, type Network } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { parseExactJson } from '../reader/exact-json.js';

const SELECT_CONFIGURATION = `SELECT configuration::text AS configuration FROM public.network`;

/** A network configuration as JSON, in the form that `parseNetwork` reads; null before the first indexer ran. */
export const readStoredConfiguration = async (client: ClientBase): Promise<string | null> => {
  const { rows } = await client.query<{ configuration: string }>(SELECT_CONFIGURATION);
  return rows[0]?.configuration ?? null;
};

/** The chain that the index is tied to, as its last indexer configured it; null before the first one ran. */
export const readStoredNetwork = async (client: ClientBase): Promise<Network | null> => {
  const configuration = await readStoredConfiguration(client);
  return configuration === null ? null : parseNetwork(parseExactJson(configuration));
};
