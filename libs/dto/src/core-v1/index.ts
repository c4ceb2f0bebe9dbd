export type * from './answers.js';
export {
  accountOrderOf,
  blockConditionsOf,
  blockOrderOf,
  DEFAULT_LIMIT,
  pageOf,
  transactionConditionsOf,
  transactionOrderOf,
} from './list-parameters.js';
export {
  ACCOUNT_RULES,
  ALL_ACCOUNTS_RULES,
  BLOCKS_RULES,
  TOP_ACCOUNTS_RULES,
  TRANSACTION_RULES,
  TRANSACTIONS_RULES,
} from './list-rules.js';
export {
  anyValue,
  integer,
  publicKey,
  readNodeQuery,
  required,
  text,
  type NetworkFacts,
  type NodeParameters,
  type NodeRule,
  type NodeRules,
  type NodeValue,
} from './parameters.js';
export { NodeRefusal, refuse, refuseParameter, type RefusalBody } from './refusal.js';
export { sliceOf, type Slice } from './slice.js';
export { writeNodeAnswer } from './write-node-answer.js';
