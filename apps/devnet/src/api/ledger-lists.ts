import { notFound, type NodeAnswers } from '@roundhouse/core-node';
import type { DevnetChain } from '../chain/devnet-chain.js';
import { presentDelegate, rankDelegates } from './present/delegate.js';
import { byBalance, findAccount, presentWallet } from './present/wallet.js';

/** The wallets and delegates of the ledger. Undefined for other addresses. */
export const ledgerLists = (chain: DevnetChain, url: URL, answers: NodeAnswers): string | undefined => {
  const { state } = chain;
  const [, resource, key, part] = url.pathname.split('/');
  const walletPage = (accounts: Iterable<Parameters<typeof presentWallet>[0]>): string =>
    answers.list(url, 'wallets', [...accounts].sort(byBalance), (account) =>
      JSON.stringify(presentWallet(account, state)),
    );
  if (resource === 'wallets') {
    if (!key) return walletPage(state.ledger.accounts.values());
    const account = findAccount(state, key);
    if (!account) throw notFound('Wallet not found');
    return JSON.stringify({ data: presentWallet(account, state) });
  }
  if (resource !== 'delegates') return undefined;
  const ranked = rankDelegates(chain);
  if (!key)
    return answers.list(url, 'delegates', ranked, (each) => JSON.stringify(presentDelegate(each, chain)));
  const found = ranked.find(({ delegate: { username, publicKey, address } }) =>
    [username, publicKey, address].includes(key),
  );
  if (!found) throw notFound('Wallet not found');
  if (part !== 'voters') return JSON.stringify({ data: presentDelegate(found, chain) });
  const accounts = [...state.ledger.accounts.values()];
  return walletPage(accounts.filter(({ vote }) => vote === found.delegate.publicKey));
};
