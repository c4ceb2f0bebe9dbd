import type { Drift } from './active-delegates.js';
import type { ClaimDrift } from './state.js';

/** How many lists of forgers are tried for a round. */
export const MOST_LISTS = 64;

/** How many claims, the newest, are needed to make these lists. */
export const CANDIDATE_CLAIMS = MOST_LISTS - 2;

const add = (drift: Map<number, bigint>, { loser, winner, amount }: ClaimDrift): void => {
  if (loser !== null) drift.set(loser, (drift.get(loser) ?? 0n) - amount);
  if (winner !== null) drift.set(winner, (drift.get(winner) ?? 0n) + amount);
};

/** What the claims after the first `forgotten` ones add to weights. */
export interface DriftSince {
  readonly forgotten: number;
  readonly drift: Drift;
}

/**
 * The claims that a running node miscounts. A node forgets those before its last restart: then its weights are right
 * again (protocol.md, "Votes").
 */
export class ClaimDrifts {
  private running: DriftSince & { readonly drift: Map<number, bigint> };

  /** `newest`: at least those that `candidates` and `forget` need; `running`: what the nodes count now. */
  constructor(
    private newest: ClaimDrift[] = [],
    public count = 0,
    running: DriftSince = { forgotten: 0, drift: new Map() },
  ) {
    this.running = { ...running, drift: new Map(running.drift) };
  }

  /** How many claims the nodes have forgotten. */
  get forgotten(): number {
    return this.running.forgotten;
  }

  /** What a running node's weight of the delegate differs from the sum of votes. */
  driftOf(delegate: number): bigint {
    return this.running.drift.get(delegate) ?? 0n;
  }

  add(claim: ClaimDrift): void {
    this.count = claim.number;
    this.newest.push(claim);
    add(this.running.drift, claim);
  }

  /** The nodes have restarted after the first `forgotten` claims. */
  forget(forgotten = this.count): void {
    if (forgotten === this.forgotten) return;
    const drift = new Map<number, bigint>();
    for (const claim of this.newest) if (claim.number > forgotten) add(drift, claim);
    this.running = { forgotten, drift };
  }

  /**
   * By which claims the next round may be forged, as they are tried: as long as no node restarts, then after a restart,
   * the latest possible one first. Drops the claims that only earlier rounds needed.
   */
  candidates(): DriftSince[] {
    this.newest = this.newest.slice(-CANDIDATE_CLAIMS);
    const { forgotten, drift } = this.running;
    const found: DriftSince[] = [{ forgotten, drift: new Map(drift) }];
    const since = new Map<number, bigint>();
    for (let at = this.newest.length; at >= 0; at -= 1) {
      found.push({ forgotten: this.count - this.newest.length + at, drift: new Map(since) });
      if (at > 0) add(since, this.newest[at - 1]!);
    }
    return found;
  }
}
