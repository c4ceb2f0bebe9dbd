import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { NodeProtocolError, type BlockSegment } from '@roundhouse/source';
import type { EncodedBlocks } from '@roundhouse/storage';
import type { PrepareFailure, PrepareOptions, PrepareRequest, PrepareResponse } from './prepare-messages.js';
import { fromWire, ReceivedTexts } from './wire.js';

export interface PreparedBlocks {
  /** Makes the objects of the blocks: as late as possible, for what waits only makes work for the collector of garbage. */
  readonly open: () => EncodedBlocks;
  /** Why the block behind the last of these, of the same segment, does not count. */
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

/** A thread's heap: a segment is a megabyte or two, but a genesis block may be twenty. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/** Compiled as this file is, or not. */
const WORKER = new URL(`./prepare.worker${extname(import.meta.url)}`, import.meta.url);

/** Buffers beyond this are none of Node's pool. */
const OWN_BYTES = 64 * 1024;

/** Threads that decode, check and encode segments; all of the work that needs neither the ledger nor the database. */
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

  /** Prepares the blocks of a segment, up to one that is wrong. Throws `NodeProtocolError` where the first is. */
  async prepare(segment: BlockSegment): Promise<PreparedBlocks> {
    if (this.failure) throw this.failure;
    const id = (this.nextId += 1);
    const request: PrepareRequest = { id, segment };
    const worker = this.workers[id % this.workers.length]!;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // Segments own their memory, but for the smallest.
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
    // What it is asked for is waited for; of itself it does not keep the process.
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
