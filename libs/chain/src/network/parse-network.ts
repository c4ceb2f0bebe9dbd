import { NetworkConfigError } from '../errors/chain-error.js';
import { MilestoneSchedule, type Milestone } from './milestones.js';
import type { Network } from './network.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (record: Record<string, unknown>, key: string): string => {
  const value = record[key];
  if (typeof value === 'string') return value;
  throw new NetworkConfigError(`The network configuration has no text at "network.${key}".`);
};

/**
 * Reads a network configuration of the form `{ network, milestones, exceptions }`: a file, or what a node's
 * `node/configuration/crypto` gives. Throws `NetworkConfigError` naming the first thing that is wrong.
 */
export const parseNetwork = (config: unknown): Network => {
  if (!isObject(config) || !isObject(config['network']) || !Array.isArray(config['milestones'])) {
    throw new NetworkConfigError(
      'A network configuration is an object with "network", "milestones" and "exceptions".',
    );
  }
  const { network } = config;
  const client = isObject(network['client']) ? network['client'] : {};
  const pubKeyHash = Number(network['pubKeyHash']);
  if (!Number.isInteger(pubKeyHash) || pubKeyHash < 0 || pubKeyHash > 255) {
    throw new NetworkConfigError(
      'The network configuration needs a byte (0 to 255) at "network.pubKeyHash".',
    );
  }
  const nethash = textOf(network, 'nethash').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(nethash)) {
    throw new NetworkConfigError(
      'The network configuration needs 64 hexadecimal characters at "network.nethash".',
    );
  }
  const milestones = config['milestones'] as readonly Milestone[];
  const heights = milestones.map((milestone) => Number(isObject(milestone) ? milestone['height'] : NaN));
  if (heights.some((height) => !Number.isSafeInteger(height) || height < 1)) {
    throw new NetworkConfigError(
      'Each milestone of the network configuration needs a "height" of 1 or more.',
    );
  }
  new MilestoneSchedule(milestones);
  return {
    name: textOf(network, 'name'),
    nethash,
    pubKeyHash,
    token: textOf(client, 'token'),
    symbol: textOf(client, 'symbol'),
    explorer: textOf(client, 'explorer'),
    milestones,
    exceptions: isObject(config['exceptions']) ? config['exceptions'] : {},
  };
};
