import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Block } from '@roundhouse/chain';
import { NodeProtocolError, type BlockSegment } from '@roundhouse/source';
import type { SegmentDecoderOptions } from '@roundhouse/source/segments';
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
