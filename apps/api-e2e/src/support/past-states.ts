import {
  admitForger,
  applyBlock,
  Ledger,
  type Account,
  type Block,
  type ClaimDrift,
  type Delegate,
  type ForgingRound,
  type Network,
} from '@roundhouse/chain';

/** The chain after a block. */
export interface PastState {
  readonly height: number;
  readonly supply: bigint;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly delegates: readonly Delegate[];
  /** The numbers of the delegates by rank at the last round end. */
  readonly ranks: readonly number[];
  /** The round that ended with the block. */
  readonly endedRound: number | null;
  /** The round that the block fixed, or that it is in, with the list that all its blocks have shown. */
  readonly round: ForgingRound;
  /** The claims so far that running nodes miscount. */
  readonly claims: readonly ClaimDrift[];
}

const copyOf = <T extends object>(row: T, names: readonly (keyof T)[]): T =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as T;

const ACCOUNT = ['address', 'number', 'publicKey', 'balance', 'locked', 'vote', 'secondPublicKey'] as const;
const DELEGATE = [
  ...(['publicKey', 'address', 'username', 'weight', 'isResigned', 'number'] as const),
  ...(['producedBlocks', 'missedBlocks', 'forgedFees', 'forgedRewards', 'registeredHeight'] as const),
] as const;

/** What a ledger in memory computes after each block; the first is that of the genesis block. */
export const pastStates = (network: Network, blocks: readonly Block[]): PastState[] => {
  const ledger = Ledger.empty(network);
  const rounds = new Map<number, ForgingRound>();
  let claims: readonly ClaimDrift[] = [];
  const states = blocks.map((block) => {
    const roundBefore = ledger.round?.round ?? null;
    admitForger(ledger, block);
    applyBlock(ledger, block);
    rounds.set(ledger.round!.round, ledger.round!);
    claims = [...claims, ...ledger.takeChanges().claimDrifts];
    const existing = [...ledger.accounts.values()].filter(({ number }) => number > 0);
    return {
      height: block.height,
      supply: ledger.supply,
      accounts: new Map(existing.map((row) => [row.address, copyOf<Account>(row, ACCOUNT)])),
      delegates: [...ledger.delegates.values()].map((row) => copyOf<Delegate>(row, DELEGATE)),
      ranks: ledger.ranks,
      endedRound: roundBefore !== null && ledger.round!.round !== roundBefore ? roundBefore : null,
      round: ledger.round!,
      claims,
    };
  });
  return states.map((state) => ({ ...state, round: rounds.get(state.round.round)! }));
};
