import { NetworkConfigError } from '../errors/chain-error.js';
import { parseLosslessJson } from '../fields/fields.js';
import { parseExceptions } from './exceptions.js';
import type { Milestone } from './chain-constants.js';
import { MilestoneSchedule } from './milestones.js';
import type { CustomType, Network } from './network.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Heights are stored as PostgreSQL's type integer. */
const HEIGHTS_END = 2 ** 31;

const textOf = (record: Record<string, unknown>, key: string): string => {
  const value = record[key];
  if (typeof value === 'string') return value;
  throw new NetworkConfigError(`The network configuration has no text at "network.${key}".`);
};

const isNumber = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

const isCustomType = (value: unknown): value is CustomType =>
  isObject(value) &&
  isNumber(value['typeGroup']) &&
  isNumber(value['type']) &&
  (value['moves'] === 'fee' || value['moves'] === 'transfer');

/** What only a configuration of Roundhouse has; a node's has none. */
const customTypesOf = (value: unknown): Pick<Network, 'customTypes'> => {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value) && value.every(isCustomType)) return { customTypes: value };
  throw new NetworkConfigError(
    'The network configuration needs a list of {"typeGroup", "type", "moves": "fee" or "transfer"} at "customTypes".',
  );
};

/**
 * Parses a network configuration of the form `{ network, milestones, exceptions }`, from a file or from a node's
 * `node/configuration/crypto`. Throws `NetworkConfigError` for the first mistake.
 */
export const parseNetwork = (config: unknown): Network => {
  if (!isObject(config) || !isObject(config['network']) || !Array.isArray(config['milestones'])) {
    throw new NetworkConfigError(
      'A network configuration is an object with "network", "milestones" and "exceptions".',
    );
  }
  const { network } = config;
  const client = isObject(network['client']) ? network['client'] : {};
  const { pubKeyHash } = network;
  if (typeof pubKeyHash !== 'number' || !Number.isInteger(pubKeyHash) || pubKeyHash < 0 || pubKeyHash > 255) {
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
  const wrong = heights.findIndex(
    (height) => !Number.isInteger(height) || height < 1 || height >= HEIGHTS_END,
  );
  if (wrong !== -1) {
    throw new NetworkConfigError(
      `The network configuration needs a height from 1 to ${HEIGHTS_END - 1} at "milestones[${wrong}].height".`,
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
    settings: network,
    milestones,
    exceptions: parseExceptions(config['exceptions']),
    ...customTypesOf(config['customTypes']),
  };
};

/** Parses the JSON of a network configuration, whose amounts may be long integers. */
export const networkOf = (json: string): Network => parseNetwork(parseLosslessJson(json));
