export { ChainState, type LastForged } from './chain/chain-state.js';
export {
  chainMaker,
  DEFAULT_OPTIONS,
  makeBlocks,
  type ChainMaker,
  type ChainOptions,
} from './chain/make-chain.js';
export { costOf, Draft } from './forging/draft.js';
export type { Breach } from './forging/forge.js';
export { FIXED_LIES } from './lies/fixed-lies.js';
export { INVENTED_LIES } from './lies/invented-lies.js';
export { ODDITIES } from './lies/oddities.js';
export { UntellableError } from './lies/lie.js';
export {
  ACCEPTED_LIES,
  ALL_LIES,
  isAcceptedLie,
  isLie,
  LIES,
  type AcceptedLieName,
  type AnyLieName,
  type InventedLieName,
  type LieName,
} from './lies/lies.js';
export { KeyRing } from './keys/key-ring.js';
export { realSigning } from './keys/signing.js';
export {
  ACTIVE_DELEGATES,
  devnetNetwork,
  MAX_PAYMENTS,
  PUB_KEY_HASH,
  type ChainTiming,
  type NetworkConfig,
} from './network/devnet-network.js';
export { SeededRandom } from './random/seeded-random.js';
export type { Intent } from './traffic/intent.js';
export { signIntent } from './traffic/sign-intent.js';
export { transactionHash, UNSIGNED, type Signatures } from './transactions/serialise.js';
export { FOREIGN_TYPE, FOREIGN_TYPE_GROUP, forgedPayloadOf } from './transactions/transaction-types.js';
