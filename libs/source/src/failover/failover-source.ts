import type { Block, BlockRef, Network } from '@roundhouse/chain';
import type { BlockSource } from '../block-source.js';
import { NodeUnavailableError } from '../errors/node-errors.js';

export interface FailoverOptions {
  /** How long an alternative is stayed with before a preferred one is tried again. */
  readonly coolDownMs: number;
  readonly now: () => number;
}

/** Several sources of one chain in order of preference: the next one answers while the one before is unavailable. */
export class FailoverSource implements BlockSource {
  private current = 0;
  private preferredAgainAt = 0;

  constructor(
    private readonly sources: readonly [BlockSource, ...BlockSource[]],
    private readonly options: FailoverOptions,
  ) {}

  /** The source in use. */
  get name(): string {
    return this.sources[this.current]!.name;
  }

  network(): Promise<Network | null> {
    return this.ask((source) => source.network());
  }

  tip(): Promise<BlockRef> {
    return this.ask((source) => source.tip());
  }

  blockIdAt(height: number): Promise<string | null> {
    return this.ask((source) => source.blockIdAt(height));
  }

  blocks(from: number, to: number): Promise<Block[]> {
    return this.ask((source) => source.blocks(from, to));
  }

  async close(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.close()));
  }

  private async ask<T>(request: (source: BlockSource) => Promise<T>): Promise<T> {
    const failures: NodeUnavailableError[] = [];
    for (const index of this.order()) {
      try {
        const answer = await request(this.sources[index]!);
        this.use(index);
        return answer;
      } catch (error) {
        // One that replaces its newest blocks is well: it is asked again, and no other has to answer for it.
        if (!(error instanceof NodeUnavailableError) || error.kind === 'moved') throw error;
        failures.push(error);
      }
    }
    const [first] = failures;
    throw new NodeUnavailableError(
      this.sources.map(({ name }) => name).join(', '),
      first!.kind,
      `None of the ${this.sources.length} sources answers: ${failures.map(({ message }) => message).join(' | ')}`,
      { cause: first },
    );
  }

  /** The one in use first, then the others by preference; all by preference when it is time to go back. */
  private order(): number[] {
    const byPreference = [...this.sources.keys()];
    if (this.options.now() >= this.preferredAgainAt) return byPreference;
    return [this.current, ...byPreference.filter((index) => index !== this.current)];
  }

  private use(index: number): void {
    if (index > 0 && (index !== this.current || this.options.now() >= this.preferredAgainAt)) {
      this.preferredAgainAt = this.options.now() + this.options.coolDownMs;
    }
    this.current = index;
  }
}
