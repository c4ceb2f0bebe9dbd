import type { Account } from '../ledger/state.js';

/** What a certificate says of an account. Amounts are in arktoshi. */
export interface CertifiedAccount extends Pick<
  Account,
  'address' | 'publicKey' | 'balance' | 'locked' | 'nonce' | 'vote'
> {
  /** Null if the account has registered no delegate. */
  readonly username: string | null;
}

/** The state after a block, as far as the blocks determine it. */
export interface Certificate {
  readonly network: string;
  readonly nethash: string;
  readonly height: number;
  readonly blockId: string;
  /** In the blocks up to this one. */
  readonly transactions: number;
  readonly delegates: number;
  readonly accounts: number;
  /** In arktoshi. */
  readonly supply: bigint;
  /** Of the last round that has ended; null if none has. */
  readonly roundDigest: { readonly round: number; readonly height: number; readonly digest: string } | null;
  /** Of the tree whose leaves are the accounts by address, in 64 lower-case hexadecimal digits. */
  readonly root: string;
}

/** How many leaves are stored as one row. A power of two, so that each full row is a part of the tree. */
export const PAGE_LEAVES = 256;

const TAB = '\t';

/**
 * The account of a leaf: its values in this order, with tabs between them; what it does not have is empty text. Only the
 * username may have any characters.
 */
export const accountOfLeaf = (leaf: string): CertifiedAccount => {
  const [address, publicKey, balance, locked, nonce, vote, ...username] = leaf.split(TAB);
  return {
    address: address!,
    publicKey: publicKey || null,
    balance: BigInt(balance!),
    locked: BigInt(locked!),
    nonce: Number(nonce),
    vote: vote || null,
    username: username.join(TAB) || null,
  };
};

const FORMAT = 'roundhouse certificate 1';

const valueText = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : JSON.stringify(value);

/** The certificate as its file has it: JSON without spaces, the fields in this order, and a line feed. */
export const certificateText = (certificate: Certificate): string => {
  const { network, nethash, height, blockId, transactions, delegates, accounts, supply } = certificate;
  const { root, roundDigest: newest } = certificate;
  const roundDigest = newest && { round: newest.round, height: newest.height, digest: newest.digest };
  const counts = { transactions, delegates, accounts, supply, roundDigest, root };
  const fields = Object.entries({ format: FORMAT, network, nethash, height, blockId, ...counts });
  return `{${fields.map(([name, value]) => `"${name}":${valueText(value)}`).join(',')}}\n`;
};
