import {
  amountOf,
  countOf,
  objectOf,
  publicKeyOf,
  textOf,
  type BlockRef,
  type DelegateFigures,
} from '@roundhouse/chain';
import { decodeFrom } from '../checks/block-checker.js';
import type { CoreApi } from './core-api.js';
import { PAGE_LIMIT } from './core-line.js';
import { tooMany } from './wrong-answers.js';

export interface NodeVoter {
  readonly address: string;
  /** Spendable. */
  readonly balance: bigint;
}

/** What a node has computed from its blocks, for comparison with an index. */
export interface DelegatesSource {
  readonly name: string;
  tip(): Promise<BlockRef>;
  /** All delegates. They belong to one head only if the tip is the same before and after. */
  delegates(): Promise<DelegateFigures[]>;
  voters(publicKey: string): Promise<NodeVoter[]>;
  close(): Promise<void>;
}

/** Line 2.x returns amounts as numbers, 3.x as text. */
const decodeDelegate = (value: unknown): DelegateFigures => {
  const delegate = objectOf(value);
  const forged = objectOf(delegate['forged'], 'forged');
  return {
    username: textOf(delegate, 'username'),
    publicKey: publicKeyOf(delegate, 'publicKey'),
    weight: amountOf(delegate, 'votes'),
    producedBlocks: countOf(objectOf(delegate['blocks'], 'blocks'), 'produced'),
    forgedFees: amountOf(forged, 'fees'),
    forgedRewards: amountOf(forged, 'rewards'),
  };
};

const decodeVoter = (value: unknown): NodeVoter => {
  const wallet = objectOf(value);
  return { address: textOf(wallet, 'address'), balance: amountOf(wallet, 'balance') };
};

/** For a list whose length is otherwise unknown. */
const MOST_PAGES = 10_000;

/** Reads all pages of a list, each entry once: the list may shift between two pages. */
const readAll = async <T>(
  api: CoreApi,
  path: string,
  what: string,
  decode: (value: unknown) => T,
  keyOf: (entry: T) => string,
): Promise<T[]> => {
  const all = new Map<string, T>();
  for (let page = 1; ; page += 1) {
    const pagePath = `${path}?page=${page}&limit=${PAGE_LIMIT}`;
    const list = await api.page({ path: pagePath }, 'bulk', path, 0);
    const known = all.size;
    for (const value of list) {
      const entry = decodeFrom(api.name, what, value, decode);
      all.set(keyOf(entry), entry);
    }
    if (list.length < PAGE_LIMIT) return [...all.values()];
    if (all.size === known || page === MOST_PAGES) {
      throw tooMany(api, pagePath, `${page} pages, the last with nothing new`, page - 1);
    }
  }
};

export const readDelegates = (api: CoreApi): Promise<DelegateFigures[]> =>
  readAll(api, '/delegates', 'a delegate', decodeDelegate, (delegate) => delegate.publicKey);

export const readVoters = (api: CoreApi, publicKey: string): Promise<NodeVoter[]> =>
  readAll(api, `/delegates/${publicKey}/voters`, 'a voter', decodeVoter, (voter) => voter.address);
