import { parentPort, workerData } from 'node:worker_threads';
import type { Block } from '@roundhouse/chain';
import {
  NodeProtocolError,
  SegmentDecoder,
  type BlockSegment,
  type SegmentDecoderOptions,
} from '@roundhouse/source/segments';

// The thread of `PreparePool`: receives segments and returns checked blocks.

export interface PrepareRequest {
  readonly id: number;
  readonly segment: BlockSegment;
}

/** An error as it passes between threads; a `NodeProtocolError` keeps its height. */
export interface PrepareFailure {
  readonly message: string;
  readonly isProtocolError: boolean;
  readonly height?: number;
}

/** The blocks of a segment; with a failure, those below the wrong one. */
export interface PrepareResponse {
  readonly id: number;
  readonly blocks: readonly Block[];
  readonly failure?: PrepareFailure;
}

if (parentPort === null) throw new Error('This file is run by the indexer in a thread of its own.');
const port = parentPort;
const decoder = new SegmentDecoder(workerData as SegmentDecoderOptions);

const failureOf = (error: Error): PrepareFailure => {
  if (!(error instanceof NodeProtocolError))
    return { message: error.stack ?? error.message, isProtocolError: false };
  const { message, height } = error;
  return { message, isProtocolError: true, ...(height === undefined ? {} : { height }) };
};

const answer = (response: PrepareResponse): void => port.postMessage(response);

port.on('message', ({ id, segment }: PrepareRequest) => {
  const blocks: Block[] = [];
  try {
    decoder.decode(segment, blocks);
    answer({ id, blocks });
  } catch (error) {
    const failure = failureOf(error as Error);
    const good = Math.max((failure.height ?? 0) - segment.firstHeight, 0);
    answer({ id, blocks: blocks.slice(0, good), failure });
  }
});
