// What a thread needs that decodes segments: nothing of the sources, which take longer to load than a segment to decode.
export { SegmentDecoder, type SegmentDecoderOptions } from './archive/segment-decoder.js';
export type { BlockSegment } from './block-segment.js';
export { NodeProtocolError } from './errors/node-errors.js';
