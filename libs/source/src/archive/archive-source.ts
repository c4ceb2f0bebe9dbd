import type { Block, BlockHeader, BlockRef } from '@roundhouse/chain';
import type { BlockSegment, RawSource } from '../block-source.js';
import { decodeBlock, decodeHeader } from '../decode/block.js';
import { decodeFrom } from '../decode/decode-from.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import type { ArchiveLines } from './archive-lines.js';
import { decodeLine, parseLine, refuseArchive } from './decode-line.js';
import { START } from './gzip-member.js';
import {
  isSameState,
  openArchive,
  stateOf,
  type OpenArchive,
  type OpenArchiveOptions,
} from './open-archive.js';
import { isBlank, LineTooLongError } from './open-lines.js';
import { linkedSegments } from './read-segments.js';

export type ArchiveOptions = Omit<OpenArchiveOptions, 'signal'>;

const readLine = async (lines: ArchiveLines, height: number, source: string): Promise<Buffer | null> => {
  const line = await lines.get(height);
  if (line === null || !isBlank(line)) return line;
  // Blank lines are allowed at the end of a file and are an error anywhere else.
  for (let next = height + 1; ; next += 1) {
    const behind = await lines.get(next);
    if (behind === null) return null;
    if (!isBlank(behind)) throw refuseArchive(source, `line ${height} is blank, line ${next} is not`, height);
  }
};

/**
 * An archive file: NDJSON, plain or gzipped, one block with its transactions per line, from height 1 upward without
 * gaps, so that a block's line number is its height. Blank lines may follow. The end of the file is the tip. The
 * source notices when the file grows. A block that is wrong, or does not link to the one before it, is refused with
 * its height.
 */
export class ArchiveSource implements RawSource {
  readonly name: string;
  private archive: OpenArchive | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private closing = new AbortController();

  constructor(
    private readonly path: string,
    private readonly options: ArchiveOptions,
  ) {
    this.name = `file:${path}`;
  }

  network(): Promise<null> {
    return Promise.resolve(null);
  }

  tip(): Promise<BlockRef> {
    return this.inTurn(async (archive) => {
      archive.tip ??= await this.readTip(archive);
      return archive.tip;
    });
  }

  blocks(from: number, to: number): Promise<Block[]> {
    return this.inTurn(async ({ lines }) => {
      const below = from > 1 ? await lines.get(from - 1) : null;
      const blocks: Block[] = [];
      for (let height = from; height <= to; height += 1) {
        const line = await readLine(lines, height, this.name);
        if (line === null) break;
        blocks.push(decodeLine(this.name, line.toString('utf8'), height, decodeBlock));
      }
      const [first] = blocks;
      if (first !== undefined && below !== null) this.assertLinked(first, this.idIn(below, from - 1));
      return blocks;
    });
  }

  async *segments(from: number): AsyncGenerator<BlockSegment, void> {
    const opened = await this.inTurn(async ({ path, placeOf }) => {
      return { path, place: await placeOf(Math.max(from - 1, START.line)) };
    });
    try {
      // The decoder of the segments checks every link except the first block's link to the block below it.
      yield* linkedSegments(opened.path, from, opened.place, (below, first) => {
        this.assertLinked(
          decodeLine(this.name, first.toString('utf8'), from, decodeHeader),
          this.idIn(below, from - 1),
        );
      });
    } catch (error) {
      throw this.translate(error as NodeJS.ErrnoException);
    }
  }

  close(): Promise<void> {
    this.closing.abort();
    this.closing = new AbortController();
    const closed = this.turn.then(() => this.archive?.lines.close());
    this.turn = closed.catch(() => undefined);
    return closed;
  }

  private idIn(line: Buffer, height: number): string {
    return decodeLine(this.name, line.toString('utf8'), height, decodeHeader).id;
  }

  private assertLinked({ height, previousBlock }: BlockHeader, idBelow: string): void {
    if (previousBlock === idBelow) return;
    throw refuseArchive(
      this.name,
      `the block on line ${height} links to ${previousBlock}, but the block on line ${height - 1} is ${idBelow}`,
      height,
    );
  }

  /** Reads one range at a time, so that concurrent requests share one pass over the file. */
  private inTurn<T>(read: (archive: OpenArchive) => Promise<T>): Promise<T> {
    const result = this.turn.then(async () => {
      try {
        this.archive = await this.reopen(this.archive);
        return await read(this.archive);
      } catch (error) {
        // The file or its copy may be gone.
        if ((error as NodeJS.ErrnoException).syscall !== undefined) this.archive = null;
        throw this.translate(error as NodeJS.ErrnoException);
      }
    });
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async reopen(known: OpenArchive | null): Promise<OpenArchive> {
    if (known && isSameState(known.state, await stateOf(this.path))) return known;
    await known?.lines.close();
    return openArchive(this.path, { ...this.options, signal: this.closing.signal });
  }

  private async readTip(archive: OpenArchive): Promise<BlockRef> {
    const last = await archive.lastLine();
    if (!last) throw refuseArchive(this.name, 'it holds no block');
    const value = parseLine(this.name, last.text.toString('utf8'), last.number);
    const { height, id } = decodeFrom(this.name, 'the last line', value, decodeHeader);
    if (last.number !== undefined && height !== last.number) {
      throw refuseArchive(
        this.name,
        `its last line, ${last.number}, holds height ${height}: it has gaps, or begins above 1`,
        last.number,
      );
    }
    return { height, id };
  }

  private translate(error: NodeJS.ErrnoException): Error {
    if (error instanceof NodeProtocolError || error instanceof NodeUnavailableError) return error;
    if (error instanceof LineTooLongError) return refuseArchive(this.name, error.message, undefined, error);
    if (error.syscall === undefined) return error;
    return new NodeUnavailableError(
      this.name,
      'unreachable',
      `The archive ${this.path} cannot be read (${error.message}): check the path in BLOCK_SOURCE and its rights.`,
      { cause: error },
    );
  }
}
