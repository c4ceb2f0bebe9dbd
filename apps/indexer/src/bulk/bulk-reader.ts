import type { Block } from '@roundhouse/chain';
import { NodeProtocolError, type BlockSegment } from '@roundhouse/source';
import type { PreparedBlocks } from './prepare-pool.js';

/** The undecoded lines of a source from a height on. */
export type OpenSegments = (from: number) => AsyncGenerator<BlockSegment, void>;

/** Turns a segment into blocks that are ready to be applied. */
export type Prepare = (segment: BlockSegment) => Promise<PreparedBlocks>;

export interface BulkReaderOptions {
  readonly sourceName: string;
  /** Maximum number of segments that are prepared ahead of the reader. */
  readonly ahead: number;
}

/** An error that is thrown in its turn, after the blocks before it. */
const rejection = (error: Error): Promise<never> => {
  const rejected = Promise.reject(error);
  rejected.catch(() => undefined);
  return rejected;
};

/** Reads blocks in bulk, without staging them: if the process ends, they are read again. */
export class BulkReader {
  private segments: AsyncGenerator<BlockSegment, void> | null = null;
  /** Ascending by height. */
  private prepared: Promise<PreparedBlocks>[] = [];
  private nextHeight = 0;
  private last: Block | null = null;

  constructor(
    private readonly openSegments: OpenSegments,
    private readonly prepare: Prepare,
    private readonly options: BulkReaderOptions,
  ) {}

  /** The height after the last returned block; null if no source is open. */
  get next(): number | null {
    return this.segments === null ? null : this.nextHeight;
  }

  /** The blocks from `height` to the end of their segment or to a wrong block; null at the source's end. */
  async read(height: number): Promise<readonly Block[] | null> {
    if (height !== this.next) await this.restart(height);
    try {
      await this.fill();
      const prepared = await this.prepared.shift();
      if (prepared === undefined) {
        // A source that grows is opened again by the next read.
        await this.close();
        return null;
      }
      const { blocks, refusal } = prepared;
      if (refusal) this.prepared.unshift(rejection(refusal));
      this.assertLinked(blocks[0]!);
      this.last = blocks.at(-1)!;
      this.nextHeight = this.last.height + 1;
      return blocks;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { segments } = this;
    this.segments = null;
    this.prepared = [];
    this.last = null;
    await segments?.return();
  }

  private async restart(height: number): Promise<void> {
    await this.close();
    this.segments = this.openSegments(height);
    this.nextHeight = height;
  }

  private async fill(): Promise<void> {
    const { segments } = this;
    while (segments !== null && this.prepared.length < this.options.ahead) {
      const segment = await segments.next().catch((error: unknown) => error as Error);
      if (segment instanceof Error) {
        this.prepared.push(rejection(segment));
        return;
      }
      if (segment.done) return;
      const preparing = this.prepare(segment.value);
      preparing.catch(() => undefined);
      this.prepared.push(preparing);
    }
  }

  /** The links within a segment are checked when it is decoded. */
  private assertLinked(first: Block): void {
    if (this.last === null || first.previousBlock === this.last.id) return;
    const { sourceName } = this.options;
    throw new NodeProtocolError(
      sourceName,
      `Block ${first.height} from ${sourceName}: its previousBlock is ${first.previousBlock}, the block before it is ` +
        `${this.last.id}. Create or download the archive again; the database of a node repairs itself.`,
      { height: first.height },
    );
  }
}
