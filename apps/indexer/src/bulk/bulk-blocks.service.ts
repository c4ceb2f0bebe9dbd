import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { mergedOf, type Block, type Network } from '@roundhouse/chain';
import { NodeProtocolError, type BlockSegment, type BlockSource } from '@roundhouse/source';
import type { SegmentDecoderOptions } from '@roundhouse/source/segments';
import { SETTINGS, SOURCE, type IndexerSettings } from '../indexer.config.js';
import { FAR_BEHIND_BLOCKS } from '../follow/current-state.js';
import { NETWORK } from '../network/network-guard.js';
import type { PrepareFailure, PrepareRequest, PrepareResponse } from './prepare.worker.js';

export interface PreparedBlocks {
  /** At least one. */
  readonly blocks: readonly Block[];
  /** Why the next block of this segment was refused. */
  readonly refusal?: Error;
}

interface Waiting {
  readonly resolve: (blocks: PreparedBlocks) => void;
  readonly reject: (error: Error) => void;
}

export interface PreparePoolOptions {
  readonly threads: number;
  /** (Default: those of the process) */
  readonly execArgv?: string[];
}

/** Heap of a thread. A segment is a megabyte or two, but a genesis block may be twenty. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/** The extension is that of this file, which may be compiled or not. */
const WORKER = new URL(`./prepare.worker${extname(import.meta.url)}`, import.meta.url);

/** Buffers above this size have memory of their own; smaller ones may share that of Node's pool. */
const OWN_BYTES = 64 * 1024;

/**
 * Threads that decode and check segments: all work that needs neither the ledger nor the database. When one dies, for
 * lack of memory for example, what is being prepared fails, and the next call starts another in its place.
 */
export class PreparePool {
  private readonly workers: (Worker | null)[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private readonly workerOptions: WorkerOptions;
  private nextId = 0;

  constructor(
    private readonly source: SegmentDecoderOptions,
    { threads, execArgv }: PreparePoolOptions,
  ) {
    this.workerOptions = {
      workerData: source,
      resourceLimits: THREAD_LIMITS,
      ...(execArgv ? { execArgv } : {}),
    };
    for (let place = 0; place < threads; place += 1) this.workers.push(this.start(place));
  }

  /**
   * Prepares the blocks of a segment, up to the first wrong one. Throws `NodeProtocolError` if that is the segment's
   * first block.
   */
  async prepare(segment: BlockSegment): Promise<PreparedBlocks> {
    if (this.workers.length === 0) throw new Error('The threads that prepare blocks are closed.');
    const id = (this.nextId += 1);
    const request: PrepareRequest = { id, segment };
    const place = id % this.workers.length;
    const worker = (this.workers[place] ??= this.start(place));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // Only memory that belongs to one buffer can be transferred. Small segments are copied instead.
      const { buffer, byteLength } = segment.bytes;
      worker.postMessage(request, byteLength > OWN_BYTES ? [buffer as ArrayBuffer] : []);
    });
  }

  async close(): Promise<void> {
    const running = this.workers.splice(0);
    await Promise.all(running.map(async (worker) => worker?.terminate()));
  }

  private start(place: number): Worker {
    const worker = new Worker(WORKER, this.workerOptions);
    const lose = (error: Error): void => {
      // After `close`, or the second event of one death.
      if (this.workers[place] !== worker) return;
      this.workers[place] = null;
      this.fail(error);
    };
    worker.on('message', (response: PrepareResponse) => this.take(response));
    worker.on('error', lose);
    worker.on('exit', () => lose(new Error('A thread that prepares blocks has ended.')));
    // Callers await its answers; the thread itself must not keep the process alive.
    worker.unref();
    return worker;
  }

  private take({ id, blocks, failure }: PrepareResponse): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    const refusal = failure && this.errorOf(failure);
    if (refusal && blocks.length === 0) waiting?.reject(refusal);
    else waiting?.resolve({ blocks, ...(refusal ? { refusal } : {}) });
  }

  private errorOf({ message, isProtocolError, height }: PrepareFailure): Error {
    if (!isProtocolError) return new Error(message);
    return new NodeProtocolError(this.source.source, message, height === undefined ? {} : { height });
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

interface BulkReaderOptions {
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
    /** The undecoded lines of the source from a height on. */
    private readonly openSegments: (from: number) => AsyncGenerator<BlockSegment, void>,
    private readonly prepare: (segment: BlockSegment) => Promise<PreparedBlocks>,
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

/** If only hashes are checked, more threads would be idle, and each takes about 40 MiB. */
const MOST_THREADS = 4;

/** Segments prepared ahead of the ledger, in addition to one per thread. */
const SPARE_SEGMENTS = 1;

interface OpenReader {
  readonly pool: PreparePool;
  readonly reader: BulkReader;
}

/** While the index is far behind, reads an archive or a node's database directly, without the queues and the staging. */
@Injectable()
export class BulkBlocks implements OnApplicationShutdown {
  /** The newest block that was read, and not undone. */
  lastHeight = 0;
  private opened: OpenReader | null = null;
  private restsUntil = 0;

  constructor(
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(NETWORK) private readonly network: Network,
    @Inject(SETTINGS) private readonly settings: Pick<IndexerSettings, 'VERIFY'>,
  ) {}

  /**
   * The blocks from `height` on, none at the source's end; null if they should not be read in bulk now. The source has
   * segments. Throws `NodeProtocolError`.
   */
  async read(height: number, tip: number): Promise<readonly Block[] | null> {
    if (performance.now() < this.restsUntil) return null;
    const isDue = tip - height + 1 >= FAR_BEHIND_BLOCKS;
    if (!isDue && this.opened?.reader.next !== height) return null;
    this.opened ??= this.open();
    return (await this.opened.reader.read(height)) ?? [];
  }

  /** Reads nothing for this time, because the source is wrong at the next height. */
  rest(durationMs: number): void {
    this.restsUntil = performance.now() + durationMs;
  }

  /** Runs after the current batch has ended, which may still read from here. */
  async onApplicationShutdown(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    await opened?.reader.close();
    await opened?.pool.close();
  }

  private open(): OpenReader {
    const { source, network } = this;
    const { VERIFY: verify } = this.settings;
    const cores = availableParallelism();
    // The ledger needs one core, except when signatures are verified: then it mostly waits.
    const free = verify === 'full' ? cores : Math.max(cores - 1, 1);
    const threads = Math.min(free, MOST_THREADS);
    const merged = mergedOf(network.milestones);
    const pool = new PreparePool({ source: source.name, network, verify, merged }, { threads });
    const reader = new BulkReader(
      (from) => source.segments!(from),
      (segment) => pool.prepare(segment),
      { sourceName: source.name, ahead: threads + SPARE_SEGMENTS },
    );
    return { pool, reader };
  }
}
