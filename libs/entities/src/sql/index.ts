// Parts of statements that the writer and the readers share.
export { knowsClaims } from './knows-claims.js';
export { LOWEST_HEAD } from './lowest-head.js';
export { amountsAt, delegateAt, ranksAt, weightAt, weightsAt } from './past-values.js';
export { EXACT_TYPES, queryRows } from './query-rows.js';
export * from './table-sql.js';
