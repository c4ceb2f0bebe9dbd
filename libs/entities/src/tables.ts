import {
  ALL_WEIGHTS_EVERY,
  EMPTY_PAYLOAD_HASH,
  LASTING,
  type Account,
  type AmountsAt,
  type BlockHeader,
  type ClaimDrift,
  type Delegate,
  type DelegateAt,
  type Lock,
  type MisplacedBlock,
  type NumberedRound,
  type Ranking,
  type RoundCandidate,
  type RoundDigest,
  type RoundRevision,
  type SumsAtBlock,
  type Transaction,
  type VotePeriod,
  type WeightsAt,
} from '@roundhouse/chain';
import {
  amount,
  amounts,
  blockId,
  bytes,
  clock,
  flag,
  hex,
  hexes,
  integer,
  integers,
  json,
  jsonb,
  nullable,
  signature,
  singleRowKey,
  smallInteger,
  table,
  text,
  texts,
  undoTable,
  usually,
  words,
  type Table,
  type UndoTable,
} from './table.js';

export { bytesOf, hexOfForm, type Form } from './forms.js';
export { storedSignature } from './stored-signature.js';
export {
  chainColumns,
  changingColumns,
  columnFor,
  keyOf,
  type Column,
  type Table,
  type UndoTable,
} from './table.js';

// Every table of the index, in one place: entities, COPY, unnest, undo, verify, rebuild and digests all read these
// descriptions. Migrations create the tables; entities.int-spec.ts compares them with these descriptions.

export const network = table(
  'network',
  {
    id: singleRowKey(),
    name: words(),
    nethash: words(),
    /** `{ network, milestones, exceptions }`, read by `parseNetwork`. Its text depends on the source that sent it. */
    configuration: jsonb({ isLocal: true }),
  },
  {
    comment:
      'The configuration of the one chain of this index; the indexer writes it before the first block.',
    checks: { network_id_check: 'id = 1' },
  },
);

export const head = table(
  'head',
  {
    id: singleRowKey(),
    height: integer(),
    blockId: blockId(),
    /** Seconds since the chain's epoch. */
    timestamp: integer(),
    supply: amount(),
    delegateCount: integer(),
    indexedAt: clock(),
    /** Counts the moves of the head, including undoing. */
    revision: amount({ default: 1, isLocal: true }),
    hasHistory: flag({
      default: 'false',
      isLocal: true,
      comment: 'Whether the history tables hold every change since the genesis block.',
    }),
    claimsHeight: integer({
      default: 0,
      isLocal: true,
      isAdded: true,
      comment:
        'claim_drifts holds the claims up to this height. Below the height of the head in an index that an earlier version began.',
    }),
  },
  {
    comment: 'The newest indexed block and the counters that belong to it; absent before the genesis block.',
    checks: { head_id_check: 'id = 1' },
  },
);

/** A public key or an address. The writer numbers them from 1, in the order in which the blocks mention them. */
export interface NumberedRow {
  readonly number: number;
  /** Of the block that mentions it first. */
  readonly height: number;
  readonly value: string;
}

export const publicKeys = table<NumberedRow>(
  'public_keys',
  { number: integer({ isKey: true }), height: integer(), value: hex() },
  {
    comment:
      'Generators and senders of the stored blocks, numbered from 1 in the order in which the blocks mention them, a block before its transactions. height is that of the first mention.',
    indexes: { ux_public_keys__value: { on: ['value'] } },
  },
);

export const addresses = table<NumberedRow>(
  'addresses',
  { number: integer({ isKey: true }), height: integer(), value: text() },
  {
    comment:
      'Recipients of the stored transactions and of the payments in them, numbered as in public_keys; a transaction before its payments.',
    indexes: { ux_addresses__value: { on: ['value'] } },
  },
);

/** A block's header without the id of the previous block, which is in the row of that block. */
export interface BlockRow extends Omit<BlockHeader, 'previousBlock' | 'generatorPublicKey'> {
  readonly generator: number;
}

const SIGNATURE =
  '64 bytes that do not begin with 0 are r and s of an ECDSA signature; a leading 0 is not part of the signature.';
const SIGNATURE_TOO = 'As blocks.block_signature.';

/**
 * SQL of a group of 1,024 heights. `ix_blocks__generator` is by generator and group: a group has several blocks of one
 * generator, whose entries PostgreSQL stores as one, in a third of the space.
 */
export const heightGroup = (height: string): string => `(${height} >> 10)`;

export const blocks = table<BlockRow>(
  'blocks',
  {
    height: integer({ isKey: true }),
    id: blockId(),
    version: integer(),
    timestamp: integer(),
    numberOfTransactions: usually(0, integer()),
    totalAmount: usually(0n, amount()),
    totalFee: usually(0n, amount()),
    reward: amount(),
    payloadLength: usually(0, integer()),
    payloadHash: usually(
      EMPTY_PAYLOAD_HASH,
      hex({ comment: `Null means ${EMPTY_PAYLOAD_HASH}, the SHA-256 of nothing.` }),
    ),
    generator: integer({ comment: 'Number in public_keys.' }),
    blockSignature: signature({ comment: SIGNATURE }),
  },
  {
    hashedKeys: { ux_blocks__id: 'id' },
    expressionIndexes: ['ix_blocks__generator'],
  },
);

export interface TransactionRow extends Omit<
  Transaction,
  'asset' | 'expiration' | 'senderPublicKey' | 'recipientId'
> {
  readonly blockHeight: number;
  /** The index in the block's payload, from 0. */
  readonly sequence: number;
  readonly asset: unknown;
  readonly expiration: bigint | null;
  readonly sender: number;
  readonly recipient: number | null;
}

export const transactions = table<TransactionRow>(
  'transactions',
  {
    blockHeight: integer({ isKey: true }),
    sequence: integer({ isKey: true }),
    id: hex(),
    version: usually(2, integer()),
    network: nullable(smallInteger()),
    typeGroup: integer(),
    type: integer(),
    timestamp: nullable(integer({ comment: 'As signed. Null if the transaction has a nonce.' })),
    nonce: nullable(amount()),
    sender: integer({ comment: 'Number in public_keys.' }),
    recipient: nullable(integer({ comment: 'Number in addresses.' })),
    amount: amount(),
    fee: amount(),
    expiration: nullable(amount({ comment: 'A height. Null if the transaction does not expire.' })),
    vendorField: nullable(hex({ comment: 'The signed bytes, which need not be UTF-8.' })),
    asset: nullable(json({ comment: 'Null for types that have none. Amounts are decimal text.' })),
    signature: nullable(signature({ comment: SIGNATURE_TOO })),
    secondSignature: nullable(signature({ comment: SIGNATURE_TOO })),
    signatures: nullable(hexes({ comment: 'Those of the members of a multi-signature account.' })),
  },
  {
    hashedKeys: { ux_transactions__id: 'id' },
    indexes: {
      // Without the position in the block: PostgreSQL sorts within a block, which has at most some hundred transactions.
      ix_transactions__sender: { on: ['sender', 'blockHeight'] },
      ix_transactions__recipient: { on: ['recipient', 'blockHeight'], where: 'recipient IS NOT NULL' },
      // Without transfers: they are so frequent that the newest ones are found without an index.
      ix_transactions__type: {
        on: ['typeGroup', 'type', 'blockHeight', 'sequence'],
        where: 'type <> 0 OR type_group <> 1',
      },
    },
  },
);

/** A recipient of a multi-payment. */
export interface PaymentRow {
  readonly recipient: number;
  readonly blockHeight: number;
  readonly sequence: number;
}

export const payments = table<PaymentRow>(
  'payments',
  {
    recipient: integer({ isKey: true, comment: 'Number in addresses.' }),
    blockHeight: integer({ isKey: true }),
    sequence: integer({ isKey: true }),
  },
  {
    comment:
      'The multi-payments that pay an address, once each. The payments themselves are in the asset of the transaction.',
  },
);

export const accounts = table<Account>(
  'accounts',
  {
    address: text({ isKey: true }),
    number: integer({
      isFixed: true,
      comment: 'Counts the accounts in the order in which blocks first touch them, from 1.',
    }),
    publicKey: nullable(hex()),
    balance: amount(),
    locked: amount(),
    vote: nullable(hex({ comment: 'The public key of the delegate that the account votes for.' })),
    nonce: integer({ comment: 'How many transactions the account has sent.' }),
    secondPublicKey: nullable(hex()),
    multiSignature: nullable(
      hex({
        comment:
          'The members of a multi-signature account: one byte for how many must sign, then their keys of 33 bytes.',
      }),
    ),
  },
  {
    indexes: {
      ix_accounts__vote: { on: ['vote'], where: 'vote IS NOT NULL' },
      // The largest balance first.
      ix_accounts__balance: { on: ['balance', 'number'] },
    },
  },
);

export const delegates = table<Delegate>(
  'delegates',
  {
    publicKey: hex({ isKey: true }),
    number: integer({ isFixed: true, comment: 'Counts the registrations of the chain, from 1.' }),
    address: text({ isFixed: true }),
    username: text({ isFixed: true }),
    weight: amount({
      comment: 'Sum of balance + locked over the accounts that vote for the delegate.',
    }),
    lastRank: integer({
      default: 0,
      comment:
        'The rank with which the delegate resigned, that of the last round end; 0 if it has not, or had none.',
    }),
    isResigned: flag(),
    producedBlocks: integer(),
    missedBlocks: integer(),
    forgedFees: amount(),
    forgedRewards: amount(),
    registeredHeight: integer({ isFixed: true }),
    registeredSequence: integer({ isFixed: true }),
  },
  {
    indexes: {
      ux_delegates__address: { on: ['address'] },
      ux_delegates__username: { on: ['username'] },
      ux_delegates__number: { on: ['number'] },
      // The largest weight first.
      ix_delegates__rank: { on: ['isResigned', 'weight', 'publicKey'] },
    },
  },
);

export const locks = table<Lock>(
  'locks',
  {
    transactionId: hex({ isKey: true }),
    senderAddress: text({ isFixed: true }),
    recipientAddress: text({ isFixed: true }),
    amount: amount({ isFixed: true }),
  },
  { comment: 'Open HTLC locks: a claim or a refund removes the row.' },
);

export const claimDrifts = table<ClaimDrift>(
  'claim_drifts',
  {
    number: integer({ isKey: true, comment: 'Counts the rows in the order of the claims, from 1.' }),
    height: integer(),
    loser: nullable(integer({ comment: 'Number of the delegate that the recipient of the lock voted for.' })),
    winner: nullable(integer({ comment: 'Number of the delegate that the sender of the claim voted for.' })),
    amount: amount(),
  },
  {
    comment:
      'Claims of locks by others than their recipients: a running node adds the amount to the weight of the wrong delegate, and chooses forgers by these weights until it restarts.',
  },
);

const FORGING_ORDER =
  'Numbers of delegates: the forger of slot s is forging_order[(s - first_slot) mod length].';
const FIRST_SLOT = "0, except by Core 3's rule after the number of active delegates changed.";
const FORGOTTEN_CLAIMS = 'How many of the first claim_drifts the weights leave out, because nodes restarted.';

export const rounds = table<NumberedRound>(
  'rounds',
  {
    round: integer({ isKey: true }),
    firstHeight: integer(),
    forgingOrder: integers({ comment: FORGING_ORDER }),
    firstSlot: integer({ default: 0, isAdded: true, comment: FIRST_SLOT }),
    forgottenClaims: integer({ default: 0, isAdded: true, comment: FORGOTTEN_CLAIMS }),
  },
  {
    comment: 'The forgers of each round as its beginning fixed them. A row of round_revisions replaces them.',
    indexes: { ux_rounds__first_height: { on: ['firstHeight'] } },
  },
);

export const roundCandidates = table<RoundCandidate>(
  'round_candidates',
  {
    round: integer({ isKey: true }),
    place: integer({ isKey: true, comment: 'From 1, in the order in which they are tried.' }),
    firstHeight: integer(),
    firstSlot: integer(),
    forgottenClaims: integer(),
    forgingOrder: integers(),
  },
  {
    comment:
      'The other forgers that a round may have, for the round of the next block and of each block that undoing can reach.',
  },
);

export const roundRevisions = table<RoundRevision>(
  'round_revisions',
  {
    height: integer({ isKey: true }),
    round: integer(),
    firstSlot: integer(),
    forgottenClaims: integer(),
    forgingOrder: integers(),
  },
  {
    comment:
      'The block at this height showed that its round is forged by these forgers, from its first block on.',
    indexes: { ix_round_revisions__round: { on: ['round'] } },
  },
);

export const misplacedBlocks = table<MisplacedBlock>(
  'misplaced_blocks',
  { height: integer({ isKey: true }), round: integer() },
  { comment: 'Blocks that FORGERS=active accepted although their forger has its slot in no list.' },
);

export const rankings = table<Ranking>(
  'rankings',
  { height: integer({ isKey: true }), delegates: integers({ comment: 'Their numbers.' }) },
  {
    comment:
      'The delegates by rank at the last round end of the head, and of each block that undoing can reach. height is that of the last block of a round.',
  },
);

export const undoAccounts = undoTable(
  accounts,
  'Accounts as they were before the block at this height; existed is false for accounts that the block created.',
);
export const undoDelegates = undoTable(delegates);
export const undoLocks = undoTable(locks);
export const UNDO_TABLES: readonly UndoTable[] = [undoAccounts, undoDelegates, undoLocks];

export const historyBalances = table<AmountsAt>(
  'history_balances',
  {
    account: integer({ isKey: true, comment: 'Number in accounts.' }),
    height: integer({ isKey: true }),
    balance: amount(),
    locked: amount(),
  },
  { comment: 'The amounts of an account after each block that changed them. Empty without history.' },
);

export const historyVotes = table<VotePeriod>(
  'history_votes',
  {
    account: integer({ isKey: true, comment: 'Number in accounts.' }),
    fromHeight: integer({ isKey: true }),
    untilHeight: integer({ comment: `${LASTING} while the vote lasts.` }),
    address: text({ comment: 'That of the account: lists of voters need it.' }),
    vote: hex(),
  },
  {
    comment:
      'The account voted for the delegate with this public key after the blocks from from_height to until_height - 1. Empty without history.',
    indexes: { ix_history_votes__vote: { on: ['vote', 'fromHeight'] } },
  },
);

export const historyDelegates = table<DelegateAt>(
  'history_delegates',
  {
    delegate: integer({ isKey: true, comment: 'Number in delegates.' }),
    height: integer({ isKey: true }),
    isResigned: flag(),
    producedBlocks: integer(),
    missedBlocks: integer(),
    forgedFees: amount(),
    forgedRewards: amount(),
  },
  {
    comment:
      'The values of a delegate, except for its weight, after each block that changed one of them. Empty without history.',
  },
);

export const historyWeights = table<WeightsAt>(
  'history_weights',
  {
    height: integer({ isKey: true }),
    delegates: integers({ comment: 'Their numbers.' }),
    weights: amounts({ comment: 'In the order of delegates.' }),
  },
  {
    comment: `The weights that the block at this height changed, or of all delegates if the height is a multiple of ${ALL_WEIGHTS_EVERY}. Empty without history.`,
  },
);

export const historyRankings = table<Ranking>(
  'history_rankings',
  { height: integer({ isKey: true }), delegates: integers({ comment: 'Their numbers.' }) },
  { comment: 'The delegates by rank at each round end. Empty without history.' },
);

export const HISTORY_TABLES: readonly Table[] = [
  ...[historyBalances, historyVotes, historyDelegates, historyWeights, historyRankings],
];

export const roundDigests = table<RoundDigest>(
  'round_digests',
  {
    round: integer({ isKey: true }),
    height: integer(),
    accounts: hex(),
    delegates: hex(),
    locks: hex(),
    digest: hex(),
  },
  {
    comment:
      'Digests of the derived tables after the last block of each round. Two indexes with the same state have the same digests.',
  },
);

export const stateSums = table<SumsAtBlock>(
  'state_sums',
  {
    height: integer({ isKey: true }),
    id: blockId({ name: 'block_id' }),
    accounts: hex(),
    delegates: hex(),
    locks: hex(),
  },
  {
    comment:
      'The sums from which round digests are computed, at the head and at each block that undoing can reach. Empty in an index that began without this table.',
  },
);

export const sourceStatus = table(
  'source_status',
  {
    id: singleRowKey(),
    source: words(),
    height: integer(),
    checkedAt: clock(),
    /** How often the indexer intends to ask, in milliseconds. */
    checkIntervalMs: integer({ default: 1000 }),
  },
  {
    comment: 'The last answer of the source to the indexer: all that the api knows of the source.',
    checks: { source_status_id_check: 'id = 1' },
  },
);

export const stagedRanges = table(
  'staged_ranges',
  {
    fromHeight: integer({ isKey: true }),
    toHeight: integer(),
    sizeBytes: integer(),
    blocks: bytes(),
    stagedAt: clock(),
    source: nullable(words()),
  },
  {
    comment:
      'Blocks that are fetched and checked but not applied yet. Unlogged: ranges lost in a crash are fetched again.',
    checks: { staged_ranges_check: 'to_height >= from_height' },
  },
);

export const refusedBlocks = table(
  'refused_blocks',
  {
    height: integer({ isKey: true }),
    source: words(),
    reason: words(),
    refusals: integer(),
    contents: texts({
      comment:
        "Hashes of the newest blocks that passed the source's checks and were refused by the ledger or the tables.",
    }),
    refusedAt: clock(),
  },
  {
    comment:
      'Heights at which a source returned a block that cannot be right. Unlogged: rows lost in a crash are made again by the next refusal.',
  },
);

export const events = table(
  'events',
  {
    sequence: amount({
      isKey: true,
      comment:
        'Microseconds since 1970, or one more than the previous event, so it also grows across resets and new databases.',
    }),
    kind: words(),
    /** Ready to be sent: see docs/events.md. */
    data: json(),
  },
  {
    comment:
      'The changes of the head, newest last. Each move of the head adds its events and drops the oldest ones. Not part of the chain.',
    checks: { events_kind_check: `kind IN ('head', 'round', 'fork')` },
  },
);

/** What the ledger makes of the stored blocks. */
export const LEDGER_TABLES: readonly Table[] = [
  ...[head, accounts, delegates, locks, claimDrifts, rounds, roundCandidates, roundRevisions],
  ...[misplacedBlocks, rankings, ...UNDO_TABLES, roundDigests, stateSums],
];

/** What the stored blocks determine. */
export const DERIVED_TABLES: readonly Table[] = [payments, ...LEDGER_TABLES, ...HISTORY_TABLES];

/** What `indexer digest` covers, in this order. */
export const COMPARED_TABLES: readonly Table[] = [
  ...[
    network,
    head,
    publicKeys,
    addresses,
    blocks,
    transactions,
    payments,
    accounts,
    delegates,
    locks,
    claimDrifts,
    rounds,
    roundRevisions,
    misplacedBlocks,
  ],
  ...HISTORY_TABLES,
];

export const TABLES: readonly Table[] = [
  ...[network, publicKeys, addresses, blocks, transactions, ...DERIVED_TABLES],
  ...[sourceStatus, stagedRanges, refusedBlocks, events],
];
