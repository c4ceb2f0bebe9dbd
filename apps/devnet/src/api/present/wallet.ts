import { membersOf, type Account } from '@roundhouse/chain';
import type { ChainState } from '@roundhouse/forging';

/** Largest balance first, then address. */
export const byBalance = (a: Account, b: Account): number => {
  if (a.balance !== b.balance) return a.balance > b.balance ? -1 : 1;
  return a.address < b.address ? -1 : 1;
};

/** Finds an account by address, public key or username. */
export const findAccount = ({ ledger }: ChainState, id: string): Account | null => {
  const direct = ledger.accounts.get(id);
  if (direct) return direct;
  for (const account of ledger.accounts.values()) if (account.publicKey === id) return account;
  for (const { username, address } of ledger.delegates.values()) {
    if (username === id) return ledger.accounts.get(address) ?? null;
  }
  return null;
};

export const presentWallet = (account: Account, { ledger }: ChainState): object => {
  const { address, publicKey, balance, locked, vote, nonce, secondPublicKey, multiSignature } = account;
  const delegate = publicKey === null ? undefined : ledger.delegates.get(publicKey);
  return {
    address,
    ...(publicKey === null ? {} : { publicKey }),
    balance: balance.toString(),
    nonce: nonce.toString(),
    attributes: {
      ...(delegate ? { delegate: { username: delegate.username, resigned: delegate.isResigned } } : {}),
      ...(locked > 0n ? { htlc: { lockedBalance: locked.toString() } } : {}),
      ...(multiSignature === null ? {} : { multiSignature: membersOf(multiSignature) }),
      ...(secondPublicKey === null ? {} : { secondPublicKey }),
      ...(vote === null ? {} : { vote }),
    },
  };
};
