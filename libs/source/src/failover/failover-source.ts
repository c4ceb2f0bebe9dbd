import { setTimeout as wait } from 'node:timers/promises';
import type { Block, BlockRef, Network } from '@roundhouse/chain';
import type { BlockSource, ProblemOf } from '../block-source.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';

/** Another source is now in use. */
export interface SourceChange {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

export interface FailoverOptions {
  /** The time from one probe of all sources to the next. */
  readonly probeMs: number;
  readonly now: () => number;
  readonly onChange: (change: SourceChange) => void;
}

type Request<T> = (source: BlockSource) => Promise<T>;
type Fault = NodeUnavailableError | NodeProtocolError;

interface Ailment {
  readonly fault: Fault;
  /** The request that failed. The source is healthy again when it answers this request. */
  readonly request: Request<unknown>;
}

interface Candidate {
  readonly source: BlockSource;
  ailment: Ailment | null;
  examination: Promise<number> | null;
}

/** A source that takes longer than this to report its height is not healthy. */
const EXAMINED_WITHIN_MS = 5_000;

/** The source in use is left when it is more blocks behind than this. */
const MOST_BEHIND = 3;
/** Another source is used, or used again, only if it is at most this many blocks behind. */
const NEARLY_LEVEL = 1;

/** A source that replaces its newest blocks is healthy: it is asked again, and no other source answers for it. */
const isFault = (error: unknown): error is Fault =>
  error instanceof NodeProtocolError || (error instanceof NodeUnavailableError && error.kind !== 'moved');

/**
 * Several sources of one chain in order of preference. The next one is used when the one in use fails, returns a
 * wrong answer, or falls behind. The preferred one is used again when it is healthy. A source is never chosen for
 * the height that it announces, only for blocks that it returns. The probes run beside the requests, so that a
 * source that hangs holds up only one request.
 */
export class FailoverSource implements BlockSource {
  private readonly candidates: readonly Candidate[];
  private current: Candidate;
  private probeDueAt: number;
  private isProbing = false;
  /** The height of the newest block that any of them has returned. */
  private given = 0;
  private isClosed = false;

  constructor(
    sources: readonly [BlockSource, ...BlockSource[]],
    private readonly options: FailoverOptions,
  ) {
    this.candidates = sources.map((source) => ({ source, ailment: null, examination: null }));
    this.current = this.candidates[0]!;
    this.probeDueAt = options.now();
  }

  /** The name of the source in use. */
  get name(): string {
    return this.current.source.name;
  }

  /** One source may know the network when another does not. */
  async network(): Promise<Network | null> {
    let told = await this.ask((source) => source.network());
    for (const { source } of this.candidates) told ??= await source.network().catch(() => null);
    return told;
  }

  async tip(): Promise<BlockRef> {
    const tip = await this.ask((source) => source.tip());
    if (this.options.now() >= this.probeDueAt) void this.probe();
    return tip;
  }

  blockAt(height: number): Promise<Block | null> {
    return this.ask((source) => source.blockAt(height));
  }

  async blocks(from: number, to: number): Promise<Block[]> {
    const blocks = await this.ask((source) => source.blocks(from, to));
    this.given = Math.max(this.given, blocks.at(-1)?.height ?? 0);
    return blocks;
  }

  distrust(problemOf: ProblemOf): void {
    for (const { source } of this.candidates) source.distrust?.(problemOf);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.candidates.map(({ source }) => source.close()));
  }

  private async ask<T>(request: Request<T>): Promise<T> {
    const faults: Fault[] = [];
    for (const candidate of this.order()) {
      try {
        const answer = await request(candidate.source);
        if (this.current.ailment !== null) this.use(candidate, this.current.ailment.fault.message);
        return answer;
      } catch (error) {
        if (!isFault(error)) throw error;
        candidate.ailment = { fault: error, request };
        faults.push(error);
      }
    }
    throw this.allFailed(faults);
  }

  /** Healthy sources come first, and among them the one in use. Otherwise the order is by preference. */
  private order(): Candidate[] {
    const rank = (candidate: Candidate): number =>
      (candidate.ailment === null ? 0 : 2) + (candidate === this.current ? 0 : 1);
    return [...this.candidates].sort((a, b) => rank(a) - rank(b));
  }

  /** Checks all sources, and uses the most preferred one that is healthy. Never throws. */
  private async probe(): Promise<void> {
    if (this.isProbing) return;
    this.isProbing = true;
    const looks = this.candidates.map(
      async (candidate) => [candidate, await this.heightOf(candidate)] as const,
    );
    const heights = new Map(await Promise.all(looks));
    const chosen = await this.choose(heights);
    this.isProbing = false;
    this.probeDueAt = this.options.now() + this.options.probeMs;
    if (chosen === null) return;
    this.use(chosen, this.reasonToLeave(Math.max(...heights.values()) - heights.get(this.current)!));
  }

  /**
   * The most preferred source that is healthy. Excludes sources that do not return the blocks that they announce.
   */
  private async choose(heights: Map<Candidate, number>): Promise<Candidate | null> {
    for (;;) {
      const best = Math.max(...heights.values());
      if (best === -Infinity) return null;
      const chosen = this.candidates.find(
        (candidate) =>
          best - heights.get(candidate)! <= (candidate === this.current ? MOST_BEHIND : NEARLY_LEVEL),
      )!;
      if (chosen === this.current || (await this.proves(chosen, heights))) return chosen;
      heights.set(chosen, -Infinity);
    }
  }

  /**
   * Whether a source returns the blocks by which it is ahead of the one in use. If it is not ahead, whether it returns
   * its newest block.
   */
  private async proves(candidate: Candidate, heights: ReadonlyMap<Candidate, number>): Promise<boolean> {
    const reached = Math.max(heights.get(this.current)!, this.given);
    const to = Math.min(heights.get(candidate)!, reached + MOST_BEHIND + 1);
    const request = (source: BlockSource): Promise<Block[]> => source.blocks(Math.min(reached + 1, to), to);
    const giveUp = wait(EXAMINED_WITHIN_MS, null, { ref: false });
    try {
      const blocks = await Promise.race([request(candidate.source), giveUp]);
      return blocks?.at(-1)?.height === to;
    } catch (error) {
      if (isFault(error)) candidate.ailment = { fault: error, request };
      return false;
    }
  }

  private reasonToLeave(blocksBehind: number): string {
    const { ailment } = this.current;
    if (ailment !== null) return ailment.fault.message;
    if (blocksBehind === Infinity)
      return `${this.name} did not tell its height within ${EXAMINED_WITHIN_MS / 1_000} s.`;
    if (blocksBehind > MOST_BEHIND) return `${this.name} is ${blocksBehind} blocks behind.`;
    return 'A preferred source is healthy again.';
  }

  /** Stops waiting for a source that hangs, and does not ask it again while that request runs. */
  private heightOf(candidate: Candidate): Promise<number> {
    candidate.examination ??= this.examine(candidate).finally(() => (candidate.examination = null));
    return Promise.race([candidate.examination, wait(EXAMINED_WITHIN_MS, -Infinity, { ref: false })]);
  }

  /** The height of a source that is healthy and answers the request that failed before; otherwise -Infinity. */
  private async examine(candidate: Candidate): Promise<number> {
    const { source, ailment } = candidate;
    try {
      const { height } = await source.tip();
      await ailment?.request(source);
      // Meanwhile it may have failed at another request.
      if (candidate.ailment !== ailment) return -Infinity;
      candidate.ailment = null;
      return height;
    } catch (error) {
      const request: Request<unknown> = ailment?.request ?? ((asked) => asked.tip());
      if (isFault(error)) candidate.ailment = { fault: error, request };
      return -Infinity;
    }
  }

  private use(candidate: Candidate, reason: string): void {
    if (candidate === this.current || this.isClosed) return;
    const from = this.name;
    this.current = candidate;
    this.options.onChange({ from, to: this.name, reason });
  }

  /** If one of them was unavailable, a retry may help. */
  private allFailed(faults: readonly Fault[]): Fault {
    const names = this.candidates.map(({ source }) => source.name).join(', ');
    const message = `None of the ${faults.length} sources answers correctly: ${faults.map((fault) => fault.message).join(' | ')}`;
    const unavailable = faults.find((fault) => fault instanceof NodeUnavailableError);
    if (unavailable)
      return new NodeUnavailableError(names, unavailable.kind, message, { cause: unavailable });
    const [first] = faults as NodeProtocolError[];
    const { height } = first!;
    return new NodeProtocolError(names, message, {
      cause: first,
      ...(height === undefined ? {} : { height }),
    });
  }
}
