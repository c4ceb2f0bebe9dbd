import type { ChainState, HeadRecord } from '@roundhouse/readers';

/** If a replica is behind for longer than this, the database was restored. */
const LAG_MS = 30_000;

/**
 * Recognizes readings of a replica that lags. A primary is never behind: if its head goes back, a backup was restored,
 * and that is the index now.
 */
export class StaleReadings {
  private behindSince: number | null = null;

  constructor(private readonly onBehind: (isWaitedFor: boolean) => void) {}

  /** Whether `state`, read at `readAt` (in ms of a monotonic clock), is older than the `served` head. */
  isStale({ head, isReplica }: ChainState, served: HeadRecord | null, readAt: number): boolean {
    const isBehind = isReplica && head !== null && served !== null && head.revision < served.revision;
    if (!isBehind) {
      this.behindSince = null;
      return false;
    }
    if (this.behindSince === null) this.onBehind(true);
    this.behindSince ??= readAt;
    if (readAt - this.behindSince < LAG_MS) return true;
    this.onBehind(false);
    this.behindSince = null;
    return false;
  }
}
