// The exports for a thread that decodes segments. They exclude the sources, which take longer to load than a
// segment takes to decode.
export { SegmentDecoder, type SegmentDecoderOptions } from './archive/decode-line.js';
export type { BlockSegment } from './block-source.js';
export { NodeProtocolError } from './errors/node-errors.js';
