import { readFile } from 'node:fs/promises';
import {
  assertKnownRules,
  NetworkConfigError,
  parseNetwork,
  type Network,
  parseLosslessJson,
} from '@roundhouse/chain';

// Copied as data: the npm package that has them needs a compiler, and these networks' histories do not change.
const PRESETS = ['mainnet', 'devnet', 'testnet'] as const;

// `src` and `dist` are both one folder below the package.
const presetFile = (name: string): URL => new URL(`../../presets/${name}.json`, import.meta.url);

const isPreset = (name: string): boolean => PRESETS.some((preset) => preset === name);

const readConfiguration = async (nameOrPath: string): Promise<string> => {
  try {
    return await readFile(isPreset(nameOrPath) ? presetFile(nameOrPath) : nameOrPath, 'utf8');
  } catch (error) {
    throw new NetworkConfigError(
      `NETWORK names "${nameOrPath}", which is neither one of ${PRESETS.join(', ')} nor a file that can be read ` +
        `(${(error as NodeJS.ErrnoException).code}): name one of these or the path of a network configuration.`,
      { cause: error },
    );
  }
};

const parse = (text: string): unknown => {
  try {
    return parseLosslessJson(text);
  } catch (error) {
    throw new NetworkConfigError(`It is not JSON (${(error as Error).message}).`, { cause: error });
  }
};

/**
 * Loads the network of a preset (`mainnet`, `devnet`, `testnet`) or of a configuration file (`{ network,
 * milestones, exceptions }`). Throws `NetworkConfigError`, also for rules that cannot be indexed.
 */
export const loadNetwork = async (nameOrPath: string): Promise<Network> => {
  const text = await readConfiguration(nameOrPath);
  try {
    const configuration = parse(text);
    assertKnownRules(configuration);
    return parseNetwork(configuration);
  } catch (error) {
    throw new NetworkConfigError(
      `NETWORK names ${nameOrPath}, which cannot be used: ${(error as Error).message} Correct the file, or name another one.`,
      { cause: error },
    );
  }
};
