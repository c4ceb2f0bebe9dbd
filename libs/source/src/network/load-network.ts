import { readFile } from 'node:fs/promises';
import {
  assertKnownRules,
  NetworkConfigError,
  parseNetwork,
  type Network,
  parseLosslessJson,
} from '@roundhouse/chain';

const PRESETS = ['mainnet', 'devnet', 'testnet'] as const;

// `src` and `dist` are both one folder below the package.
const presetFile = (name: string): URL => new URL(`../../presets/${name}.json`, import.meta.url);

const isPreset = (name: string): boolean => PRESETS.some((preset) => preset === name);

const readConfiguration = async (nameOrPath: string): Promise<string> => {
  try {
    return await readFile(isPreset(nameOrPath) ? presetFile(nameOrPath) : nameOrPath, 'utf8');
  } catch (error) {
    throw new NetworkConfigError(
      `The network "${nameOrPath}" is neither one of ${PRESETS.join(', ')} nor a file that can be read ` +
        `(${(error as Error).message}). Name one of these or the path of a network configuration.`,
      { cause: error },
    );
  }
};

/**
 * Loads the network of a preset (`mainnet`, `devnet`, `testnet`) or of a configuration file (`{ network,
 * milestones, exceptions }`). Throws `NetworkConfigError`, also for rules that cannot be indexed.
 */
export const loadNetwork = async (nameOrPath: string): Promise<Network> => {
  const text = await readConfiguration(nameOrPath);
  try {
    const configuration = parseLosslessJson(text);
    assertKnownRules(configuration);
    return parseNetwork(configuration);
  } catch (error) {
    throw new NetworkConfigError(
      `The network configuration ${nameOrPath} cannot be used: ${(error as Error).message}`,
      { cause: error },
    );
  }
};
