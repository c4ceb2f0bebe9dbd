import { setTimeout as wait } from 'node:timers/promises';
import type { Block, BlockRef, Network } from '@roundhouse/chain';
import type { BlockSource, ProblemOf } from '../block-source.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';

/** Another source is in use from now on. */
export interface SourceChange {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

export interface FailoverOptions {
  /** How long after one look at all sources the next one is due. */
  readonly probeMs: number;
  readonly now: () => number;
  readonly onChange: (change: SourceChange) => void;
}

type Request<T> = (source: BlockSource) => Promise<T>;
type Fault = NodeUnavailableError | NodeProtocolError;

interface Ailment {
  readonly fault: Fault;
  /** What it failed at: it is well again when it answers that. */
  readonly request: Request<unknown>;
}

interface Candidate {
  readonly source: BlockSource;
  ailment: Ailment | null;
  examination: Promise<number> | null;
}

/** A source that says its height more slowly than this is not well. */
const EXAMINED_WITHIN_MS = 5_000;

/** The source in use is left when it is further behind than this … */
const MOST_BEHIND = 3;
/** … and one is taken up, or returned to, when it is no further behind than this. */
const NEARLY_LEVEL = 1;

/** One that replaces its newest blocks is well: it is asked again, and no other has to answer for it. */
const isFault = (error: unknown): error is Fault =>
  error instanceof NodeProtocolError || (error instanceof NodeUnavailableError && error.kind !== 'moved');

/**
 * Several sources of one chain in order of preference. The next one is used when the one in use fails, answers what
 * cannot be right, or falls behind; the preferred one again when it is well. None is taken up for the height that it
 * tells, but for blocks that it gives. Whether it is, is found out beside the
 * requests, so that a source that hangs holds up one request and no other.
 */
export class FailoverSource implements BlockSource {
  private readonly candidates: readonly Candidate[];
  private current: Candidate;
  private probeDueAt: number;
  private isProbing = false;
  /** The height of the newest block that any of them has given. */
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

  /** The source in use. */
  get name(): string {
    return this.current.source.name;
  }

  /** Of several alternatives one may tell what another cannot. */
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

  /** Those that are well come first, and among them the one in use; the rest by preference. */
  private order(): Candidate[] {
    const rank = (candidate: Candidate): number =>
      (candidate.ailment === null ? 0 : 2) + (candidate === this.current ? 0 : 1);
    return [...this.candidates].sort((a, b) => rank(a) - rank(b));
  }

  /** Looks at all sources, and uses the most preferred one that is well. Never throws. */
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

  /** The most preferred one that is well; those that do not give the blocks that they tell of are struck out. */
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

  /** Whether one gives the blocks that make it ahead of the one in use, or level with it. */
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
    if (blocksBehind > MOST_BEHIND) return `${this.name} is ${blocksBehind} blocks behind.`;
    return 'A source that is preferred is well again.';
  }

  /** One that hangs is waited for no longer, and not asked twice at a time. */
  private heightOf(candidate: Candidate): Promise<number> {
    candidate.examination ??= this.examine(candidate).finally(() => (candidate.examination = null));
    return Promise.race([candidate.examination, wait(EXAMINED_WITHIN_MS, -Infinity, { ref: false })]);
  }

  /** The height of a source that is well, and has got over what ailed it; -Infinity of another. */
  private async examine(candidate: Candidate): Promise<number> {
    const { source, ailment } = candidate;
    try {
      const { height } = await source.tip();
      await ailment?.request(source);
      // It may have failed at something else meanwhile.
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

  /** Where one could not be reached, trying again may help. */
  private allFailed(faults: readonly Fault[]): Fault {
    const names = this.candidates.map(({ source }) => source.name).join(', ');
    const message = `None of the ${faults.length} sources answers as it should: ${faults.map((fault) => fault.message).join(' | ')}`;
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
