// Blocks made ready for the tables, for a thread that has no business with the database.
export type { EncodedRows } from './writer/copy-binary.js';
export { EncodedBlocks } from './writer/encoded-blocks.js';
export { RowsEncoder, type RowSizes } from './writer/rows-encoder.js';
