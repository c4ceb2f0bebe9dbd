import { setTimeout as wait } from 'node:timers/promises';
import type { World } from './world.js';

const LOOK_MS = 500;

/** For so long the index may stand still below the node without an indexer that says why. */
const MOST_SILENT_MS = 10_000;

export interface Sight {
  /** The id of the index's head; null if the database does not answer. */
  readonly head: string | null;
  readonly nodeHead: string;
  /** Whether an indexer works that could say something. */
  readonly canSpeak: boolean;
  /** When an indexer last logged a warning or an error (`performance.now()`). */
  readonly warnedAt: number;
}

/** Finds out that the index stands still although the node has other blocks, and that no indexer says why. */
export class Silence {
  private since = -Infinity;
  private head: string | null = null;

  /** True once for each time that this lasts too long. */
  isTooLong({ head, nodeHead, canSpeak, warnedAt }: Sight, now: number): boolean {
    const isExcused = head === null || head !== this.head || head === nodeHead || !canSpeak;
    this.since = isExcused ? now : Math.max(this.since, warnedAt);
    this.head = head;
    if (now - this.since <= MOST_SILENT_MS) return false;
    this.since = Infinity;
    return true;
  }
}

/** Looks again and again, until the signal is aborted. */
export const watchForSilence = async (world: World, signal: AbortSignal): Promise<void> => {
  const silence = new Silence();
  while (!signal.aborted) {
    const head = await world.postgres.headId();
    const nodeHead = world.devnet.head;
    const now = performance.now();
    const sight: Sight = {
      head,
      nodeHead: nodeHead.id,
      canSpeak: world.indexers.some((indexer) => indexer.isWellSince(now)),
      warnedAt: Math.max(...world.indexers.map(({ warnedAt }) => warnedAt)),
    };
    if (silence.isTooLong(sight, now))
      world.found(
        `no indexer says why the index has been standing still for ${MOST_SILENT_MS / 1_000} s: its head is ${head}, the node's is ${nodeHead.height} ${nodeHead.id}`,
      );
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
};
