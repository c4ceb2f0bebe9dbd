// Parts of statements that the writer and the readers share.
export { heightOfTime } from './height-of-time.js';
export {
  ACCOUNTS_BY_IMAGES,
  amountsAt,
  delegateAt,
  imagesAbove,
  ranksAt,
  valueAfter,
  voteAt,
  weightAt,
  weightsAt,
} from './past-values.js';
export * from './statement-sql.js';
export * from './table-sql.js';
export { NODE_ASSET, NODE_NONCE } from './node-transaction.js';
export * from './wallet-attributes.js';
export { arraysOf, byteaText, EXACT_TYPES, queryRows } from '../values.js';
export { NODE_BLOCKS, NODE_COPIES, NODE_COPY_FUNCTIONS } from '../views/node-copies.js';
export { LET_WALLETS_WAIT, MAKE_WALLETS } from './waiting-wallets.js';
