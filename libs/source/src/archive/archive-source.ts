import { open, stat } from 'node:fs/promises';
import type { Block, BlockHeader, BlockRef } from '@roundhouse/chain';
import type { BlockSegment, RawSource } from '../block-source.js';
import { decodeBlock, decodeHeader } from '../decode/block.js';
import { decodeFrom } from '../decode/decode-from.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import { ArchiveLines } from './archive-lines.js';
import { decodeLine, parseLine, refuseArchive } from './decode-line.js';
import { lastGzippedLine, lastPlainLine, type LastLine } from './last-line.js';
import { isBlank, isGzipped, LineTooLongError } from './open-lines.js';
import { linkedSegments } from './read-segments.js';

interface OpenArchive {
  readonly inode: number;
  readonly size: number;
  readonly changedMs: number;
  readonly isGzipped: boolean;
  readonly lines: ArchiveLines;
  tip?: BlockRef;
}

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

  constructor(private readonly path: string) {
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
    try {
      // The decoder of the segments checks every link except the first block's link to the block below it.
      yield* linkedSegments(this.path, from, (below, first) => {
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
    const closed = this.turn.then(() => this.archive?.lines.forget());
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
        throw this.translate(error as NodeJS.ErrnoException);
      }
    });
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async reopen(known: OpenArchive | null): Promise<OpenArchive> {
    const { ino: inode, size, mtimeMs: changedMs } = await stat(this.path);
    if (known && known.inode === inode && known.size === size && known.changedMs === changedMs) return known;
    await known?.lines.forget();
    const gzipped = await this.looksGzipped();
    const hasGrown =
      known !== null && known.inode === inode && known.size < size && !gzipped && !known.isGzipped;
    const lines = hasGrown ? known.lines : new ArchiveLines(this.path, !gzipped);
    return { inode, size, changedMs, isGzipped: gzipped, lines };
  }

  private async looksGzipped(): Promise<boolean> {
    const file = await open(this.path);
    try {
      return await isGzipped(file);
    } finally {
      await file.close();
    }
  }

  private async readTip(archive: OpenArchive): Promise<BlockRef> {
    const last: LastLine | null = await (archive.isGzipped ? lastGzippedLine : lastPlainLine)(this.path);
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
    if (error instanceof NodeProtocolError) return error;
    if (error instanceof LineTooLongError) return refuseArchive(this.name, error.message, undefined, error);
    if (error.code?.startsWith('Z_')) {
      const line = (this.archive?.lines.lastLine ?? 0) + 1;
      return refuseArchive(
        this.name,
        `the gzipped data is cut off or damaged at line ${line} or later (${error.message})`,
        line,
        error,
      );
    }
    if (error.syscall === undefined) return error;
    return new NodeUnavailableError(
      this.name,
      'unreachable',
      `The archive ${this.path} cannot be read (${error.message}): check the path in BLOCK_SOURCE and its rights.`,
      { cause: error },
    );
  }
}
