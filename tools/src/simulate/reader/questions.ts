import type { SeededRandom } from '@roundhouse/testing';
import type { Fields } from './answer.js';
import { checkBlockList, checkHeight, checkOneBlock } from './checks/blocks.js';
import {
  checkDelegateList,
  checkForged,
  checkNextForgers,
  checkSearch,
  checkVoters,
} from './checks/delegates.js';
import { checkLoaderStatus, checkSync } from './checks/loader.js';
import { checkGetSupply, checkStatus } from './checks/supply.js';
import type { Inspection } from './inspection.js';

export interface Question {
  readonly url: string;
  readonly check: (seen: Inspection) => void;
  /** Whether the answer depends on more than the head. */
  readonly isOfNode?: boolean;
}

/** Values from earlier answers, for later questions. */
export interface Known {
  readonly genesisSupply: bigint;
  readonly delegates: readonly { readonly publicKey: string; readonly username: string }[];
  /** Ids of blocks of any branch. */
  readonly ids: readonly string[];
}

type Ask = (random: SeededRandom, known: Known) => Question;

const blocks: Ask = (random) => {
  const limit = random.pick([1, 2, 10, 60, 100]);
  const offset = random.pick([0, 0, 0, 1, 5, 50]);
  return { url: `/api/blocks?limit=${limit}&offset=${offset}`, check: checkBlockList(offset) };
};

const oneBlock: Ask = (random, { ids }) => {
  const id = random.pick(ids);
  return { url: `/api/blocks/get?id=${id}`, check: checkOneBlock(id) };
};

const forged: Ask = (random, { delegates }) => {
  const { publicKey } = random.pick(delegates);
  return {
    url: `/api/delegates/forging/getForgedByAccount?generatorPublicKey=${publicKey}`,
    check: checkForged(publicKey),
  };
};

const voters: Ask = (random, { delegates }) => ({
  url: `/api/delegates/voters?publicKey=${random.pick(delegates).publicKey}`,
  check: checkVoters,
});

const search: Ask = (random, { delegates }) => ({
  url: `/api/delegates/search?q=${encodeURIComponent(random.pick(delegates).username.slice(0, random.between(3, 12)))}`,
  check: checkSearch,
});

const delegateList: Ask = (random) => ({
  url: `/api/delegates?limit=100&orderBy=${random.pick(['rank', 'vote:desc', 'username', 'producedblocks:desc', 'forged'])}`,
  check: checkDelegateList,
});

const nothingMore = (): void => undefined;

const plain =
  (url: string, check: Question['check']): Ask =>
  () => ({ url, check });

const ASKS: readonly Ask[] = [
  blocks,
  blocks,
  blocks,
  oneBlock,
  oneBlock,
  forged,
  forged,
  forged,
  voters,
  search,
  delegateList,
  plain('/api/blocks/getHeight', checkHeight),
  plain('/api/blocks/getHeight', checkHeight),
  (_random, { genesisSupply }) => ({ url: '/api/blocks/getStatus', check: checkStatus(genesisSupply) }),
  (_random, { genesisSupply }) => ({ url: '/api/blocks/getSupply', check: checkGetSupply(genesisSupply) }),
  plain('/api/delegates/getNextForgers', checkNextForgers),
  plain('/api/delegates/count', nothingMore),
  plain('/api/delegates/fee', nothingMore),
  () => ({ url: '/api/loader/status', check: checkLoaderStatus, isOfNode: true }),
  () => ({ url: '/api/loader/status/sync', check: checkSync, isOfNode: true }),
];

/** Draws a question from the known values. */
export const drawQuestion = (random: SeededRandom, known: Known): Question =>
  random.pick(ASKS)(random, known);

/** The ids in an answer, for later questions. */
export const idsIn = (body: Fields | null): string[] =>
  Array.isArray(body?.['blocks']) ? (body['blocks'] as Fields[]).map(({ id }) => String(id)) : [];
