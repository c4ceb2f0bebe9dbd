// Prepares blocks for the tables. For a thread that does not use the database and does not load TypeORM.
export type { EncodedRows } from './writer/copy-binary.js';
export {
  rowFields,
  RowsEncoder,
  type RowFields,
  type RowSizes,
  type RowTables,
} from './writer/block-rows.js';
