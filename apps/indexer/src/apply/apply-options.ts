import type {
  Block,
  BlockRef,
  MisplacedBlock,
  Network,
  RoundRevision,
  RuleName,
  Rules,
  Warned,
} from '@roundhouse/chain';
import type { Announces } from '@roundhouse/storage';

export interface ApplyOptions {
  /** When this object changes, the ledger is loaded again. */
  readonly network: Network;
  /** Maximum number of blocks per commit. */
  readonly batchBlocks: number;
  /** How many blocks below the head keep before-images. */
  readonly undoDepth: number;
  /** The rules that blocks must keep; a block that breaks one is refused. (Default: none are checked) */
  readonly rules?: Rules;
  /** Whether signatures under keys of the senders' accounts are verified. (Default: false) */
  readonly verifiesSignatures?: boolean;
  /**
   * The height that the source claims; 0 if unknown. While it is far above, a batch makes before-images only for its
   * last blocks. If the claim is false, the current batch is applied once more, and no before-image is lost.
   */
  readonly claimedHeight: () => number;
  /** Whether an index that begins now keeps history; any other goes on as it began. (Default: false) */
  readonly keepsHistory?: boolean;
  /**
   * Whether a block is accepted whose forger has its slot in no list, if the forger is a member of one. It resolves to
   * true only if the generator has signed the block. (Default: no such block is)
   */
  readonly acceptsMisplaced?: ((block: Block) => Promise<boolean>) | undefined;
  readonly onBatch?: (report: BatchReport) => void;
  /** Which blocks webhooks are told of. (Default: none) */
  readonly announces?: Announces;
  /** Called when the block at this height was undone because new rules change the forgers of the next round. */
  readonly onOutdated?: (height: number) => void;
  /** Accounts held in memory between batches. (Default: 100,000) */
  readonly accountCapacity?: number;
}

/** One committed batch, for logs and metrics. */
export interface BatchReport {
  readonly head: BlockRef;
  readonly blocks: number;
  readonly transactions: number;
  readonly loadMs: number;
  readonly applyMs: number;
  readonly commitMs: number;
  /** Type group and type → number of transactions that this index does not know. */
  readonly unknownTypes: ReadonlyMap<string, number>;
  /** Rounds that are forged by another list than the one they began with. */
  readonly revisions: readonly RoundRevision[];
  /** Blocks whose forger has its slot in no list. */
  readonly misplaced: readonly MisplacedBlock[];
  /** Rules that blocks broke, of which a breach is only a warning. */
  readonly warned: ReadonlyMap<RuleName, Warned>;
}

/** How a drain ended. An unlinked block is an outcome, not an error. */
export type ApplyOutcome =
  /** Everything staged directly above the head is applied. */
  | { readonly kind: 'applied'; readonly head: BlockRef | null }
  /** The staged block at `height` does not link to the head: a fork, or a range from an abandoned branch. */
  | { readonly kind: 'mismatch'; readonly height: number; readonly head: BlockRef }
  /** The block links to the head, but the ledger or the tables refuse it; everything below it is applied. */
  | { readonly kind: 'refused'; readonly block: Block; readonly reason: string };

export type Mismatch = Extract<ApplyOutcome, { kind: 'mismatch' }>;
