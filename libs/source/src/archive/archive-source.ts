import { decodeBlock, decodeHeader } from '@roundhouse/blocks';
import type { Block, BlockHeader, BlockRef } from '@roundhouse/chain';
import type { BlockSegment, RawSource } from '../block-source.js';
import { decodeFrom } from '../checks/block-checker.js';
import { NodeProtocolError, NodeUnavailableError } from '../errors/node-errors.js';
import { endOfText, isBlank, openArchive, START, stateOf, type ArchiveFile } from './archive-file.js';
import { ArchiveLines } from './archive-lines.js';
import { decodeLine, parseLine, refuseArchive } from './decode-line.js';

/** An archive's file while it does not change. */
interface OpenArchive {
  readonly file: ArchiveFile;
  readonly lines: ArchiveLines;
  tip?: BlockRef;
}

const slownessOf = (path: string): string =>
  `The archive ${path} is read from its beginning each time, because "indexer export" did not write it. To start within ` +
  `seconds at any height, unpack it ("gunzip -c ${path} > FILE") and set BLOCK_SOURCE=file:FILE. Or index it once, and use ` +
  'what "indexer export" writes.';

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
  private isSlownessTold = false;

  /** `onSlowArchive` gets advice, once, if the file can only be read from its beginning. */
  constructor(
    private readonly path: string,
    private readonly onSlowArchive: (advice: string) => void = () => undefined,
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
      if (first !== undefined && below !== null) this.assertLinked(first, this.headerIn(below, from - 1).id);
      return blocks;
    });
  }

  async *segments(from: number): AsyncGenerator<BlockSegment, void> {
    const file = await this.inTurn((archive) => Promise.resolve(archive.file));
    let below: Buffer | undefined;
    try {
      for await (const run of file.runs(await file.placeOf(Math.max(from - 1, START.line)))) {
        if (run.next < from) continue;
        let start = 0;
        let first: Buffer | undefined;
        if (run.first <= from) {
          const lines = run.lines();
          below ??= lines[from - 1 - run.first];
          first = lines[from - run.first];
          if (first === undefined) continue;
          start = first.byteOffset - run.bytes.byteOffset;
        }
        const bytes = run.bytes.subarray(start, endOfText(run.bytes));
        if (bytes.length === 0) continue;
        // The decoder of the segments checks every link except the first block's link to the block below it.
        if (first && below) this.assertLinked(this.headerIn(first, from), this.headerIn(below, from - 1).id);
        yield { firstHeight: Math.max(run.first, from), bytes };
      }
    } catch (error) {
      throw this.translate(error as NodeJS.ErrnoException);
    }
  }

  close(): Promise<void> {
    this.closing.abort();
    const closed = this.turn.then(async () => {
      this.closing = new AbortController();
      await this.archive?.lines.close();
      this.archive = null;
    });
    this.turn = closed.catch(() => undefined);
    return closed;
  }

  private headerIn(line: Buffer, height: number): BlockHeader {
    return decodeLine(this.name, line.toString('utf8'), height, decodeHeader);
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
    if (known?.file.state === (await stateOf(this.path))) return known;
    await known?.lines.close();
    const file = await openArchive(this.path, this.closing.signal);
    if (!file.isSeekable && !this.isSlownessTold) {
      this.isSlownessTold = true;
      this.onSlowArchive(slownessOf(this.path));
    }
    return { file, lines: new ArchiveLines(file) };
  }

  private async readTip({ file, lines }: OpenArchive): Promise<BlockRef> {
    const last = await lines.last();
    if (!last) throw refuseArchive(this.name, 'it holds no block');
    // In a plain file, it is reckoned from what a line near the end says.
    const number = file.isGzipped ? last.number : undefined;
    const value = parseLine(this.name, last.bytes.toString('utf8'), number);
    const { height, id } = decodeFrom(this.name, 'the last line', value, decodeHeader);
    if (number !== undefined && height !== number) {
      throw refuseArchive(
        this.name,
        `its last line, ${number}, holds height ${height}: it has gaps, or begins above 1`,
        number,
      );
    }
    return { height, id };
  }

  private translate(error: NodeJS.ErrnoException): Error {
    if (error instanceof NodeProtocolError || error instanceof NodeUnavailableError) return error;
    const unavailable = (says: string): Error =>
      new NodeUnavailableError(this.name, 'unreachable', `The archive ${this.path} ${says}.`, {
        cause: error,
      });
    if (error.name === 'AbortError')
      return unavailable('is not read further, because this source was closed');
    if (error.syscall === undefined) return error;
    return unavailable(`cannot be read (${error.message}): check the path in BLOCK_SOURCE and its rights`);
  }
}
