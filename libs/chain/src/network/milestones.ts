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

/** A height at which one constant takes a new value. */
export interface Change {
  readonly height: number;
  readonly value: number;
}

const changesIn = (
  merged: readonly ChainConstants[],
  key: 'activeDelegates' | 'blocktime',
): readonly Change[] => {
  const changes: Change[] = [];
  for (const constants of merged) {
    if (changes.at(-1)?.value !== constants[key])
      changes.push({ height: constants.height, value: constants[key] });
  }
  return changes;
};

/** Merges the milestones once and answers by height (protocol.md, "Milestones"). */
export class MilestoneSchedule {
  private readonly merged: readonly ChainConstants[];
  /** By height, each with the keys of those before it, as nodes show them. */
  readonly configured: readonly Json[];
  /** Computed once, because every block needs them. */
  private readonly changes: Readonly<Record<'activeDelegates' | 'blocktime', readonly Change[]>>;
  private current = 0;

  constructor(milestones: readonly Milestone[]) {
    const sorted = [...milestones].sort((a, b) => a.height - b.height);
    if (sorted[0]?.height !== 1) {
      throw new NetworkConfigError('The network configuration needs milestones that begin at height 1.');
    }
    let merged: Json = {};
    this.configured = sorted.map((milestone) => (merged = mergeDeeply(merged, milestone)));
    this.merged = this.configured.map(constantsOf);
    this.changes = {
      activeDelegates: changesIn(this.merged, 'activeDelegates'),
      blocktime: changesIn(this.merged, 'blocktime'),
    };
  }

  /** The constants in force at `height`, from 1 on. For 0, those at height 1. */
  at(height: number): ChainConstants {
    // Callers mostly ask for ascending heights, so the search starts at the last answer.
    const { merged } = this;
    let index = this.current;
    if (merged[index]!.height > height) index = 0;
    while (index + 1 < merged.length && merged[index + 1]!.height <= height) index += 1;
    this.current = index;
    return merged[index]!;
  }

  /** The same as configured: all keys of the milestones up to it, merged. */
  configuredAt(height: number): Readonly<Record<string, unknown>> {
    return this.configured[this.merged.indexOf(this.at(height))]!;
  }

  /** The heights at which `key` changes, beginning with height 1. */
  changesOf(key: 'activeDelegates' | 'blocktime'): readonly Change[] {
    return this.changes[key];
  }

  /** Whether block ids have 64 hexadecimal characters at any height, also in the future. */
  get hasFullSha256Ids(): boolean {
    return this.merged.some((constants) => constants.idFullSha256);
  }
}

/** The chain's epoch in seconds since 1970. */
export const epochOf = ({ epoch }: Pick<ChainConstants, 'epoch'>): number => Date.parse(epoch) / 1000;
