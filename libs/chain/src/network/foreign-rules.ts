import { NetworkConfigError } from '../errors/chain-error.js';
import type { Network } from './network.js';
import { parseNetwork } from './parse-network.js';

/**
 * The keys of milestones that Core 2.0 to 3.9 has on any of ARK's networks. The index reads some of them; the others
 * change neither balances nor votes nor rounds.
 */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'height',
  'reward',
  'activeDelegates',
  'blocktime',
  'block',
  'epoch',
  'fees',
  'p2p',
  'vendorFieldLength',
  'multiPaymentLimit',
  'htlcEnabled',
  'aip11',
  'aip36',
  'aip37',
  'blockBurnAddress',
  'ignoreInvalidSecondSignatureField',
  'ignoreExpiredTransactions',
  'blsPublicKeyRegistrationEnabled',
  'multiSignatureRegistrationEnabled',
  'multiSignatureSendingEnabled',
  'multiSignatureReceivingEnabled',
]);

/**
 * Keys of other chains that change neither balances nor votes nor rounds, and what they mean. Only as a switch: with another
 * value they are as unknown as any other key.
 */
const HARMLESS_KEYS: Readonly<Record<string, string>> = {
  morpheus: "Hydra's transactions about identities",
  coeus: "Hydra's transactions about names",
};

/** Keys of other chains, and what they mean. All of them change balances, votes or rounds. */
const OTHER_CHAINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Solar: {
    dynamicReward: "rewards that depend on the delegate's rank",
    devFund: 'a part of each reward goes to other accounts',
    donations: 'a part of each reward goes to other accounts',
    burn: 'tokens and fees are burned',
    burnPercentage: 'a part of each fee is burned',
    solarTransactions: 'tokens are burned',
    legacyVote: 'votes by username, and shared among delegates by percentages',
    legacyTransfer: 'other numbers for transaction types',
    bip340: 'other signatures',
    blocksToRevokeDelegateResignation: 'resignations that are taken back',
    onlyActiveDelegatesInCalculations: 'ranks without resigned delegates',
    blockTime: 'another name for the block time',
  },
  Compendia: {
    topReward: 'a higher reward for the first delegates',
    topDelegates: 'a higher reward for the first delegates',
    balancePower: 'votes that are weighted by stakes',
    stakeLevels: 'votes that are weighted by stakes',
    powerUp: 'votes that are weighted by stakes',
  },
  Mainsail: {
    activeValidators: 'validators instead of delegates',
    roundValidators: 'validators instead of delegates',
    evmSpec: 'accounts of a virtual machine',
  },
};

/** A key of the milestones that no Core of ARK has. */
export interface ForeignRule {
  readonly key: string;
  /** The height of the first milestone that has it. */
  readonly height: number;
  /** The chain that is known to have it, and what it means there; null if nothing is known about it. */
  readonly chain: string | null;
  readonly meaning: string | null;
}

const knownElsewhere = (key: string): Pick<ForeignRule, 'chain' | 'meaning'> => {
  const chain = Object.keys(OTHER_CHAINS).find((name) => Object.hasOwn(OTHER_CHAINS[name]!, key)) ?? null;
  return { chain, meaning: chain && OTHER_CHAINS[chain]![key]! };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isHarmless = (key: string, value: unknown): boolean =>
  Object.hasOwn(HARMLESS_KEYS, key) && typeof value === 'boolean';

const milestonesOf = (config: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isObject(config) && Array.isArray(config['milestones']) ? config['milestones'].filter(isObject) : [];

/**
 * The rules in a network configuration by which its blocks cannot be indexed, or might not be. `config` need not be
 * valid: what `parseNetwork` would refuse is ignored.
 */
export const foreignRulesOf = (config: unknown): ForeignRule[] => {
  const rules = new Map<string, ForeignRule>();
  for (const milestone of milestonesOf(config)) {
    const height = Number(milestone['height']);
    for (const [key, value] of Object.entries(milestone)) {
      if (isHarmless(key, value)) continue;
      if (KNOWN_KEYS.has(key) || (rules.get(key)?.height ?? Infinity) <= height) continue;
      rules.set(key, { key, height, ...knownElsewhere(key) });
    }
  }
  return [...rules.values()];
};

/** What an operator should know of milestones that no Core of ARK has and that change nothing here; null if there are none. */
export const harmlessMilestonesNote = (config: unknown): string | null => {
  const heights = new Map<string, number>();
  for (const milestone of milestonesOf(config)) {
    for (const [key, value] of Object.entries(milestone)) {
      if (isHarmless(key, value) && !heights.has(key)) heights.set(key, Number(milestone['height']));
    }
  }
  if (heights.size === 0) return null;
  const list = [...heights].map(([key, height]) => `${key} from height ${height} (${HARMLESS_KEYS[key]})`);
  return (
    `Its milestones have keys that ARK's Core does not have: ${list.join(', ')}. They change neither balances nor votes ` +
    `nor rounds, so the chain is indexed without them.`
  );
};

const textOf = ({ key, height, meaning }: ForeignRule): string =>
  `${key} from height ${height}${meaning === null ? '' : ` (${meaning})`}`;

/** What is wrong with these rules and what to do, in two sentences. */
const refusalOf = (rules: readonly ForeignRule[]): string => {
  const list = rules.map(textOf).join(', ');
  return rules.some(({ meaning }) => meaning !== null)
    ? `It has rules that Roundhouse does not know: ${list}. A chain with such rules cannot be indexed; ` +
        `docs/protocol.md, "Sister chains", lists those that can.`
    : `It has milestones that Roundhouse does not know: ${list}. If they change neither balances nor votes nor rounds, ` +
        `remove them from a copy of the configuration and set NETWORK to its path.`;
};

/** A configuration has rules by which its blocks would be indexed wrongly from `height` on. */
export class ForeignRulesError extends NetworkConfigError {
  constructor(
    readonly height: number,
    private readonly config: unknown,
    message: string,
  ) {
    super(message);
  }

  /** The configuration without the milestones from `height` on; null if nothing valid is left. */
  networkBelow(): Network | null {
    const { milestones, ...rest } = this.config as { readonly milestones: readonly unknown[] };
    const isBelow = (milestone: unknown): boolean =>
      isObject(milestone) && Number(milestone['height']) < this.height;
    try {
      return parseNetwork({ ...rest, milestones: milestones.filter(isBelow) });
    } catch (error) {
      if (error instanceof NetworkConfigError) return null;
      throw error;
    }
  }
}

/**
 * Refuses a chain whose rules would be indexed wrongly, before its first block. Throws `ForeignRulesError` that names
 * all such rules.
 */
export const assertKnownRules = (config: unknown): void => {
  const rules = foreignRulesOf(config);
  if (rules.length === 0) return;
  // Without a right height, it counts as if it were in force from the beginning.
  const heights = rules.map(({ height }) => (Number.isInteger(height) ? height : 1));
  throw new ForeignRulesError(Math.min(...heights), config, refusalOf(rules));
};
