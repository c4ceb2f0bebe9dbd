export interface VoterAnswer {
  readonly address: string;
  readonly publicKey: string;
  readonly balance: string;
}

interface OurVoter {
  readonly balance: number | bigint;
}

/** A node's voters as the contract lists them: the largest balance first, each with the name of its delegate, if it is one. */
export const asOurVoters = (
  voters: readonly VoterAnswer[],
  usernames: ReadonlyMap<string, string>,
): readonly object[] =>
  voters
    .map(({ address, publicKey, balance }) => ({
      username: usernames.get(address) ?? null,
      address,
      publicKey,
      balance: BigInt(balance),
    }))
    .sort((a, b) =>
      a.balance === b.balance ? (a.address < b.address ? -1 : 1) : a.balance > b.balance ? -1 : 1,
    );

/** Our voters, with each balance as bigint. */
export const withBigBalances = (accounts: readonly OurVoter[]): readonly object[] =>
  accounts.map((account) => ({ ...account, balance: BigInt(account.balance) }));
