import type { BlockSegment, SegmentDecoderOptions } from '@roundhouse/source/segments';
import type { WireBlocks } from './wire.js';

/** What a worker is started with. */
export type PrepareOptions = SegmentDecoderOptions;

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

/** The blocks of a segment, or those below the height of the failure, or only that. */
export type PrepareResponse =
  | { readonly id: number; readonly wire: WireBlocks; readonly failure?: PrepareFailure }
  | { readonly id: number; readonly failure: PrepareFailure };
