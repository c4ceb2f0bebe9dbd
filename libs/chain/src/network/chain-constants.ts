import { NetworkConfigError } from '../errors/chain-error.js';

/** Amounts are arktoshi: 1/100,000,000 of a token. */
export interface StaticFees {
  readonly transfer: bigint;
  readonly secondSignature: bigint;
  readonly delegateRegistration: bigint;
  /** The others are only displayed, and absent if the configuration does not have them. */
  readonly vote?: bigint;
  readonly multiSignature?: bigint;
}

/** A milestone as the network configuration has it: a height and the keys that change there. */
export type Milestone = Readonly<Record<string, unknown>> & { readonly height: number };

/** The constants in force at a height: all milestones up to it, merged. */
export interface ChainConstants {
  /** The height of the newest merged milestone. */
  readonly height: number;
  /** Reward of one block, in arktoshi. */
  readonly reward: bigint;
  readonly activeDelegates: number;
  /** Seconds. */
  readonly blocktime: number;
  /** ISO 8601, UTC: second 0 of the chain's timestamps. */
  readonly epoch: string;
  readonly idFullSha256: boolean;
  /** Whether second signatures of accounts without a key for them are valid; Core reads it on its devnet only. */
  readonly ignoresSecondSignatures: boolean;
  readonly staticFees: StaticFees;
  /** Of all blocks; null if the configuration does not say. */
  readonly blockVersion: number | null;
  /** The most in one block; null if the configuration does not say. */
  readonly maxTransactions: number | null;
  /** The most payments of one transaction; null if the configuration does not say. */
  readonly multiPaymentLimit: number | null;
  /** Whether transactions have version 2. */
  readonly aip11: boolean;
  /** Whether one transaction may hold two votes. */
  readonly aip37: boolean;
  /**
   * Whether the milestones are those of Core 2.6 or newer. Core 2.4 and 2.5 accept version 1 also when AIP 11 is in force.
   */
  readonly hasNonces: boolean;
  /** Whether transactions that have expired are valid; Core reads it on its devnet only. */
  readonly ignoresExpirations: boolean;
  /** Whether the timestamps of version 1 must be near that of their block. */
  readonly checksTimestamps: boolean;
  readonly htlcEnabled: boolean;
  /** Whether there are entities, and no more businesses and bridgechains. */
  readonly aip36: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mergeDeeply = (base: Json, over: Json): Json => {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? mergeDeeply(old, value) : value;
  }
  return merged;
};

/** The limits of PostgreSQL's types bigint and integer. */
const AMOUNTS_END = 2n ** 63n;
const COUNTS_END = 2 ** 31;

const amountOf = (value: unknown, key: string, height: number): bigint => {
  let amount = -1n;
  if (typeof value === 'bigint') amount = value;
  else if (typeof value === 'number' && Number.isSafeInteger(value)) amount = BigInt(value);
  else if (typeof value === 'string' && /^\d+$/.test(value)) amount = BigInt(value);
  if (amount >= 0n && amount < AMOUNTS_END) return amount;
  throw new NetworkConfigError(
    `The milestone in force at height ${height} has no amount from 0 to 2^63 - 1 for "${key}".`,
  );
};

const countOf = (value: unknown, key: string, height: number): number => {
  const count = typeof value === 'bigint' ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count > 0 && count < COUNTS_END) return count;
  throw new NetworkConfigError(
    `The milestone in force at height ${height} has no "${key}" from 1 to ${COUNTS_END - 1}.`,
  );
};

/** Keys that Core 2.4 and 2.5 do not have. */
const SINCE_NONCES = ['multiPaymentLimit', 'htlcEnabled'];

/** For a limit that only a rule reads: without it, the rule does not hold. */
const countOrNull = (value: unknown): number | null => {
  const count = typeof value === 'bigint' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null;
};

/** Reads merged milestones. Throws `NetworkConfigError`. */
const constantsOf = (merged: Json): ChainConstants => {
  const height = countOf(merged['height'], 'height', 0);
  const block = isObject(merged['block']) ? merged['block'] : {};
  const fees = isObject(merged['fees']) ? merged['fees'] : {};
  const staticFees = isObject(fees['staticFees']) ? fees['staticFees'] : {};
  const epoch = merged['epoch'];
  if (typeof epoch !== 'string' || Number.isNaN(Date.parse(epoch))) {
    throw new NetworkConfigError(`The milestone in force at height ${height} has no "epoch" in ISO 8601.`);
  }
  const fee = (key: string): bigint => amountOf(staticFees[key], `fees.staticFees.${key}`, height);
  return {
    height,
    reward: amountOf(merged['reward'], 'reward', height),
    activeDelegates: countOf(merged['activeDelegates'], 'activeDelegates', height),
    blocktime: countOf(merged['blocktime'], 'blocktime', height),
    epoch: new Date(epoch).toISOString(),
    idFullSha256: block['idFullSha256'] === true,
    ignoresSecondSignatures: merged['ignoreInvalidSecondSignatureField'] === true,
    staticFees: {
      transfer: fee('transfer'),
      secondSignature: fee('secondSignature'),
      delegateRegistration: fee('delegateRegistration'),
      ...('vote' in staticFees && { vote: fee('vote') }),
      ...('multiSignature' in staticFees && { multiSignature: fee('multiSignature') }),
    },
    blockVersion: countOrNull(block['version']),
    maxTransactions: countOrNull(block['maxTransactions']),
    multiPaymentLimit: countOrNull(merged['multiPaymentLimit']),
    aip11: merged['aip11'] === true,
    aip37: merged['aip37'] === true,
    hasNonces: SINCE_NONCES.some((key) => merged[key] !== undefined),
    ignoresExpirations: merged['ignoreExpiredTransactions'] === true,
    // Core 2.0 to 2.4 do not have the key, and check nothing.
    checksTimestamps: block['acceptExpiredTransactionTimestamps'] === false,
    htlcEnabled: merged['htlcEnabled'] === true,
    aip36: merged['aip36'] === true,
  };
};

/** The merged milestones, by height: each with the keys of those before it. */
export interface MergedMilestones {
  /** As nodes show them. */
  readonly configured: readonly Json[];
  readonly constants: readonly ChainConstants[];
}

/** Merges milestones. Throws `NetworkConfigError`. */
export const mergeMilestones = (milestones: readonly Milestone[]): MergedMilestones => {
  const sorted = [...milestones].sort((a, b) => a.height - b.height);
  if (sorted[0]?.height !== 1) {
    throw new NetworkConfigError('The network configuration needs milestones that begin at height 1.');
  }
  let merged: Json = {};
  const configured = sorted.map((milestone) => (merged = mergeDeeply(merged, milestone)));
  return { configured, constants: configured.map(constantsOf) };
};

/** The chain's epoch in seconds since 1970. */
export const epochOf = ({ epoch }: Pick<ChainConstants, 'epoch'>): number => Date.parse(epoch) / 1000;
