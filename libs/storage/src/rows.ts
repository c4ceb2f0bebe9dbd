// Prepares blocks for the tables. For a thread that does not use the database.
export type { EncodedRows } from './writer/copy-binary.js';
export { EncodedBlocks } from './writer/encoded-blocks.js';
export { RowsEncoder, type RowSizes } from './writer/block-rows.js';
