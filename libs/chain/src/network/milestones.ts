import {
  mergeMilestones,
  type ChainConstants,
  type MergedMilestones,
  type Milestone,
} from './chain-constants.js';

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

const known = new WeakMap<readonly Milestone[], MergedMilestones>();

/** Merged once for each configuration: plain data, which threads can be given. Throws `NetworkConfigError`. */
export const mergedOf = (milestones: readonly Milestone[]): MergedMilestones => {
  const merged = known.get(milestones) ?? mergeMilestones(milestones);
  known.set(milestones, merged);
  return merged;
};

/** Answers by height (protocol.md, "Milestones"). */
export class MilestoneSchedule {
  private readonly merged: readonly ChainConstants[];
  /** By height, each with the keys of those before it, as nodes show them. */
  readonly configured: readonly Readonly<Record<string, unknown>>[];
  /** Computed once, because every block needs them. */
  private readonly changes: Readonly<Record<'activeDelegates' | 'blocktime', readonly Change[]>>;
  private current = 0;

  /** `merged`: in a thread, so that it need not merge them. */
  constructor(milestones: readonly Milestone[], merged = mergedOf(milestones)) {
    const { configured, constants } = merged;
    this.configured = configured;
    this.merged = constants;
    this.changes = {
      activeDelegates: changesIn(constants, 'activeDelegates'),
      blocktime: changesIn(constants, 'blocktime'),
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
