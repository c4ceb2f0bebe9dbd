import {
  assertKnownRules,
  ForeignRulesError,
  NetworkConfigError,
  parseNetwork,
  type Network,
} from '@roundhouse/chain';
import { NodeProtocolError } from '../errors/node-errors.js';
import type { CoreApi } from './core-api.js';

/** The configuration that a node reports; null if it reports none. Throws `NodeProtocolError` if it cannot be used. */
export const readNetworkOf = async (api: CoreApi): Promise<Network | null> => {
  const configuration = await api.find('/node/configuration/crypto');
  if (configuration === null) return null;
  try {
    assertKnownRules(configuration);
    return parseNetwork(configuration);
  } catch (cause) {
    if (!(cause instanceof NetworkConfigError)) throw cause;
    // A refusal of its rules says what to do.
    const advice =
      cause instanceof ForeignRulesError ? '' : ` Set NETWORK, or name another node in ${api.setting}.`;
    throw new NodeProtocolError(
      api.name,
      `${api.name} reports a network that cannot be used: ${cause.message}${advice}`,
      { cause },
    );
  }
};
