// Parts of statements that the writer and the readers share.
export { amountsAt, delegateAt, ranksAt, weightAt, weightsAt } from './past-values.js';
export * from './table-sql.js';
