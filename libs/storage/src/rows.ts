// Prepares blocks for the tables. For a thread that does not use the database and does not load TypeORM.
export type { EncodedRows } from './writer/copy-binary.js';
export { rowFields, RowsEncoder } from './writer/block-rows.js';
export type { RowFields, RowSizes, RowTables } from './writer/block-rows.js';
