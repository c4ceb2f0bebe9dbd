import type { BlockSegment, SegmentDecoderOptions } from '@roundhouse/source/segments';
import type { WireBlocks } from './wire.js';

/** The data that a worker starts with. */
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

/** The blocks of a segment, those below a failure's height, or only a failure. */
export type PrepareResponse =
  | { readonly id: number; readonly wire: WireBlocks; readonly failure?: PrepareFailure }
  | { readonly id: number; readonly failure: PrepareFailure };
