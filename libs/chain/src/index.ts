export { addressOf, AddressBook, decodeBase58Check } from './accounts/address.js';
export { attributesOf } from './accounts/attributes.js';
export { membersOf, multiSignatureKeyOf } from './accounts/multi-signature.js';
export { encodeBase58 } from './accounts/base58.js';
export { isPublicKey, PUBLIC_KEY } from './accounts/public-key.js';
export {
  EMPTY_PAYLOAD_HASH,
  NO_BLOCK_ID,
  type Block,
  type BlockHeader,
  type BlockRef,
} from './blocks/block.js';
export {
  accountOfLeaf,
  certificateText,
  PAGE_LEAVES,
  type Certificate,
  type CertifiedAccount,
} from './certificate/certificate.js';
export { bytesOfHash, hashesIn, leafHash, merklePath, merkleRoot } from './certificate/merkle.js';
export { curve, curves, sha256, sha256As } from './crypto/crypto.js';
export type { Curve } from './crypto/curve.js';
export { roundDigest, type RoundDigest } from './digest/round-digest.js';
export { RunningSums } from './digest/running-sums.js';
export type { StateSums } from './digest/value-sums.js';
export {
  ChainError,
  InvalidBlockError,
  LedgerInvariantError,
  NetworkConfigError,
  UnknownClaimsError,
} from './errors/chain-error.js';
export { applyBlock, type BlockChecks, type OnSender } from './ledger/apply-block.js';
export type { BlockRecords, LedgerChanges, SumsAtBlock } from './ledger/changes.js';
export {
  ALL_WEIGHTS_EVERY,
  LASTING,
  type AmountsAt,
  type DelegateAt,
  type HistoryRecords,
  type VotePeriod,
  type VoteRecords,
  type WeightsAt,
} from './ledger/history.js';
export type { DayStatistics } from './ledger/day-counter.js';
export { hasOutdatedForgers } from './ledger/end-round.js';
export { CANDIDATE_CLAIMS, ClaimDrifts } from './ledger/claim-drifts.js';
export { Ledger } from './ledger/ledger.js';
export {
  admitForger,
  slotsOfBlock,
  type ForgerRule,
  type RoundSoFar,
  type SlotsOfBlock,
} from './ledger/slots.js';
export type {
  Account,
  BeforeImage,
  BlockUndo,
  ClaimDrift,
  Delegate,
  DelegateFigures,
  ForgerList,
  ForgingRound,
  LedgerHead,
  Lock,
  MisplacedBlock,
  NumberedRound,
  Ranking,
  RoundBlock,
  RoundCandidate,
  RoundRevision,
} from './ledger/state.js';
export { newAccount } from './ledger/state.js';
export { touchedKeys, type TouchedKeys } from './ledger/touched-keys.js';
export type { Exceptions } from './network/exceptions.js';
export {
  epochOf,
  type ChainConstants,
  type MergedMilestones,
  type Milestone,
  type StaticFees,
} from './network/chain-constants.js';
export { mergedOf, MilestoneSchedule } from './network/milestones.js';
export { firstDifferentHeight, typesMovedByOne } from './network/compare-rules.js';
export {
  assertKnownRules,
  ForeignRulesError,
  foreignRulesOf,
  harmlessMilestonesNote,
} from './network/foreign-rules.js';
export type { CustomType, Network } from './network/network.js';
export { networkOf, parseNetwork } from './network/parse-network.js';
export { Payouts, type ForgedBlock, type PayoutOptions, type PayoutTotals } from './payouts/payouts.js';
export type { Payout } from './payouts/round-shares.js';
export { forgerAt, roundOf, type Round, slotOf, slotTime, type TimestampAt } from './rounds/rounds.js';
export { heightsForSlots } from './rounds/slot-heights.js';
export { isExcepted } from './rules/block-check.js';
export { nameOfRule, RULE_NAMES, Rules, type BrokenRule, type RuleName, type Warned } from './rules/rules.js';
export { DAY_SECONDS, heightsBetween, parseMoment, type Moment } from './statement/moment.js';
export * from './statement/statement.js';
export { FIRST_CHANGED_NUMBER, oldNumberOf, typeOfOldNumber } from './transactions/old-type-numbers.js';
export * from './transactions/transaction.js';
export { KNOWN_TYPES, type KnownType } from './types/index.js';
export * from './types/of-type.js';
export { EMPTY, type Effect, type Payload, type PayloadFields } from './types/definition.js';
export * from './fields/asset-fields.js';
export * from './fields/fields.js';
export { ShapeError } from './fields/shape-error.js';
export { ADDRESS_BYTES, addressBytes, bytesOfAddress } from './accounts/address.js';
export { ByteReader, KEY_BYTES } from './bytes/byte-reader.js';
export { ByteWriter } from './bytes/byte-writer.js';
export { UnserialisableError } from './bytes/unserialisable.error.js';
