import type { ServedIndex } from '../served-index.js';

/** An amount or a count: a bigint only if it is larger than a double holds. */
export type Whole = number | bigint;

export interface PastDelegate {
  readonly rank: number | null;
  readonly username: string;
  readonly publicKey: string;
  readonly isResigned: boolean;
  readonly weight: Whole;
  readonly producedblocks: number;
  readonly missedblocks: number;
  readonly fees: Whole;
  readonly rewards: Whole;
  readonly forged: Whole;
}

export interface PastVoter {
  readonly address: string;
  readonly balance: Whole;
  readonly locked: Whole;
}

export interface PastAccount {
  readonly address: string;
  readonly publicKey: string | null;
  readonly balance: Whole;
  readonly locked: Whole;
  readonly vote: string | null;
  readonly voteUsername: string | null;
  readonly secondPublicKey: string | null;
}

/** What history answers about one height. */
export interface PastAnswers {
  readonly supply: Whole;
  readonly delegates: readonly PastDelegate[];
  /** By the delegate's public key. */
  readonly voters: Readonly<Record<string, readonly PastVoter[]>>;
  /** By address; null if the chain did not know the account. */
  readonly accounts: Readonly<Record<string, PastAccount | null>>;
}

/** All delegates at a height, as history answers. */
export const pastDelegates = async (served: ServedIndex, height: number): Promise<readonly PastDelegate[]> =>
  (await served.found<{ delegates: PastDelegate[] }>(`/api/history/delegates?height=${height}`)).delegates;

export const pastSupply = async (served: ServedIndex, height: number): Promise<Whole> =>
  (await served.found<{ supply: Whole }>(`/api/history/supply?height=${height}`)).supply;

const pastVoters = async (served: ServedIndex, key: string, height: number): Promise<readonly PastVoter[]> =>
  (await served.found<{ accounts: PastVoter[] }>(`/api/history/delegates/${key}/voters?height=${height}`))
    .accounts;

const pastAccount = async (
  served: ServedIndex,
  address: string,
  height: number,
): Promise<PastAccount | null> => {
  const { status, body } = await served.answer<{ account: PastAccount }>(
    `/api/history/accounts/${address}?height=${height}`,
  );
  if (status === 404) return null;
  if (status !== 200) throw new Error(`${address} at ${height}: ${status} ${JSON.stringify(body)}`);
  return body.account;
};

/** Asks for everything about a height: also the given accounts, whether the chain knew them then or not. */
export const pastAnswers = async (
  served: ServedIndex,
  height: number,
  addresses: readonly string[],
): Promise<PastAnswers> => {
  const [supply, delegates] = await Promise.all([pastSupply(served, height), pastDelegates(served, height)]);
  const voters = await Promise.all(
    delegates.map(async ({ publicKey }) => [publicKey, await pastVoters(served, publicKey, height)] as const),
  );
  const accounts = await Promise.all(
    addresses.map(async (address) => [address, await pastAccount(served, address, height)] as const),
  );
  return {
    supply,
    delegates,
    voters: Object.fromEntries(voters),
    accounts: Object.fromEntries(accounts),
  };
};
