import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { NodeProtocolError, type BlockSegment } from '@roundhouse/source';
import type { EncodedBlocks } from '@roundhouse/storage';
import type { PrepareFailure, PrepareOptions, PrepareRequest, PrepareResponse } from './prepare.worker.js';
import { ReceivedTexts } from './sent-texts.js';
import { fromWire } from './wire.js';

export interface PreparedBlocks {
  /** Makes the objects of the blocks. Call it as late as possible: waiting objects burden the garbage collector. */
  readonly open: () => EncodedBlocks;
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

/** Threads that decode, check and encode segments: all work that needs neither the ledger nor the database. */
export class PreparePool {
  private readonly workers: Worker[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private failure: Error | null = null;
  private isClosed = false;
  private nextId = 0;

  constructor(
    private readonly source: PrepareOptions,
    { threads, execArgv }: PreparePoolOptions,
  ) {
    const options: WorkerOptions = {
      workerData: source,
      resourceLimits: THREAD_LIMITS,
      ...(execArgv ? { execArgv } : {}),
    };
    for (let i = 0; i < threads; i += 1) this.workers.push(this.start(options));
  }

  /**
   * Prepares the blocks of a segment, up to the first wrong one. Throws `NodeProtocolError` if that is the segment's
   * first block.
   */
  async prepare(segment: BlockSegment): Promise<PreparedBlocks> {
    if (this.failure) throw this.failure;
    const id = (this.nextId += 1);
    const request: PrepareRequest = { id, segment };
    const worker = this.workers[id % this.workers.length]!;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // Only memory that belongs to one buffer can be transferred. Small segments are copied instead.
      const { buffer, byteLength } = segment.bytes;
      worker.postMessage(request, byteLength > OWN_BYTES ? [buffer as ArrayBuffer] : []);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private start(options: WorkerOptions): Worker {
    const worker = new Worker(WORKER, options);
    const texts = new ReceivedTexts();
    worker.on('message', (response: PrepareResponse) => this.take(response, texts));
    worker.on('error', (error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error('A thread that prepares blocks has ended.')));
    // Callers await its answers; the thread itself must not keep the process alive.
    worker.unref();
    return worker;
  }

  private take(response: PrepareResponse, texts: ReceivedTexts): void {
    const waiting = this.waiting.get(response.id);
    this.waiting.delete(response.id);
    if ('wire' in response) {
      const { wire, failure } = response;
      const held = texts.receive(wire.newTexts);
      const refusal = failure && this.errorOf(failure);
      const count = failure === undefined ? undefined : failure.height! - wire.firstHeight;
      waiting?.resolve({
        open: () => (count === undefined ? fromWire(wire, held) : fromWire(wire, held).slice(0, count)),
        ...(refusal ? { refusal } : {}),
      });
    } else waiting?.reject(this.errorOf(response.failure));
  }

  private errorOf({ message, isProtocolError, height }: PrepareFailure): Error {
    if (!isProtocolError) return new Error(message);
    return new NodeProtocolError(this.source.source, message, height === undefined ? {} : { height });
  }

  private fail(error: Error): void {
    if (this.isClosed) return;
    this.failure ??= error;
    for (const { reject } of this.waiting.values()) reject(this.failure);
    this.waiting.clear();
  }
}
