import { computeBlockId } from '@roundhouse/blocks';
import {
  kind,
  rewritten,
  type AnswerNode,
  type Data,
  type Kind,
  type Misbehaviour,
} from '@roundhouse/core-node';
import { ALL_LIES, isAcceptedLie, isLie, type AnyLieName } from '@roundhouse/forging';
import { z } from 'zod';
import type { DevnetChain } from '../chain/devnet-chain.js';
import { toBlock, type RawBlock } from '../chain/raw-block.js';
import { DevnetError } from '../devnet.error.js';
import { LIES, lyingContents } from './lying-contents.js';

/** What a kind of misbehaviour works with. */
export interface Scene {
  readonly chain: DevnetChain;
  /** The node that has another chain. */
  readonly nodeOf: (chain: DevnetChain) => AnswerNode;
}

export interface ChainMisbehaviour extends Misbehaviour {
  /** A branch that it shows in addition to the devnet's own, made by the same rules. */
  readonly branch?: DevnetChain;
}

type ChainKind = Kind<Scene, ChainMisbehaviour>;

const nothing = z.strictObject({});
const depth = z.number().int().min(1).max(10_000);

/** Returns another text of the same form. */
const altered = (digits: string): string => digits.slice(0, -1) + (digits.endsWith('1') ? '2' : '1');

const assertLongEnough = ({ chain }: Scene, least: number): void => {
  if (chain.log.height <= least)
    throw new DevnetError(`The chain has ${chain.log.height} blocks; ask for a smaller depth.`);
};

/** All answers are from another chain. */
const instead = (other: DevnetChain, { nodeOf }: Scene): Misbehaviour => {
  const node = nodeOf(other);
  return { onRequest: (request) => node(request), end: () => other.close() };
};

const withId = (block: RawBlock, id: string): RawBlock => ({
  ...block,
  id,
  transactions: block.transactions.map((transaction) => ({ ...transaction, blockId: id })),
});

/** The id matches the contents, so only the contents show the mistake. */
const withOwnId = (block: RawBlock): RawBlock => withId(block, computeBlockId(toBlock(block), false));

/** Answers from a copy of the chain with another newest block, the same in every answer. */
const withHead = (
  scene: Scene,
  servedHead: RawBlock,
): { readonly copy: DevnetChain; readonly misbehaviour: Misbehaviour } => {
  const { chain } = scene;
  const copy = chain.copy(chain.log.height, { servedHead });
  return { copy, misbehaviour: instead(copy, scene) };
};

const wrongHead = (headOf: (head: RawBlock) => RawBlock): ChainKind =>
  kind(nothing, (_, scene: Scene) => withHead(scene, headOf(scene.chain.head)).misbehaviour);

/** Reports wrong ids for its tip and for single blocks. Lists of blocks are correct. */
const lyingIds = ({ chain }: Scene, newest: number): Misbehaviour => {
  const lie = (data: Data): Data => {
    const block = data['block'] as Data | undefined;
    if (block) return { ...data, block: lie(block) };
    const isNew = Number(data['height']) > chain.log.height - newest;
    return isNew ? { ...data, id: altered(String(data['id'])) } : data;
  };
  return rewritten(/^\/api\/(node\/syncing|blockchain|blocks\/[^/]+)$/, lie);
};

/** In the first step a third of `depth` is gone, in the second two thirds, in the last all of it. */
const STEPS = 3;
const REQUESTS_A_STEP = 4;

/** The node loses blocks from answer to answer until `lost` of them are gone. */
const backwards = (scene: Scene, lost: number): Misbehaviour => {
  assertLongEnough(scene, lost);
  const { chain, nodeOf } = scene;
  const { height } = chain.log;
  let copy: DevnetChain | null = null;
  let requests = 0;
  return {
    onRequest: (request) => {
      const step = Math.min(Math.ceil((requests += 1) / REQUESTS_A_STEP), STEPS);
      const reached = height - Math.ceil((lost * step) / STEPS);
      if (copy?.log.height !== reached) {
        copy?.close();
        copy = chain.copy(reached);
      }
      return nodeOf(copy)(request);
    },
    end: () => copy?.close(),
  };
};

/** Several nodes behind one address that disagree about the newest blocks. */
const forksInTurn = (scene: Scene, parted: number, each: number): ChainMisbehaviour => {
  assertLongEnough(scene, parted);
  const branch = scene.chain.copy(scene.chain.log.height);
  branch.fork(parted);
  const other = scene.nodeOf(branch);
  let requests = 0;
  return {
    onRequest: (request) => (Math.floor(requests++ / each) % 2 === 0 ? other(request) : undefined),
    branch,
    end: () => branch.close(),
  };
};

const OTHER_NETWORK_BLOCKS = 30;

const LIE_NAMES = Object.keys(ALL_LIES) as AnyLieName[];
const BREACHES = ['stranger', 'forger', 'reward', 'version', ...LIE_NAMES] as const;

/** The kinds for which the devnet makes other blocks. */
export const CHAIN_KINDS: Readonly<Record<string, ChainKind>> = {
  'wrong-id': wrongHead((head) => withId(head, altered(head.id))),
  'wrong-payload-hash': wrongHead((head) => withOwnId({ ...head, payloadHash: altered(head.payloadHash) })),
  'wrong-signature': wrongHead((head) =>
    withOwnId({ ...head, blockSignature: altered(head.blockSignature) }),
  ),
  /** The newest block is signed by its generator and its id matches its contents, but it breaks a rule or tells a lie. */
  unlawful: kind(z.strictObject({ breach: z.enum(BREACHES) }), ({ breach }, scene: Scene) => {
    const { copy, misbehaviour } = withHead(scene, scene.chain.unlawfulHead(breach));
    // An index may have the block of a lie that Core accepts.
    return isLie(breach) && isAcceptedLie(breach) ? { ...misbehaviour, branch: copy } : misbehaviour;
  }),
  'lying-ids': kind(z.strictObject({ depth }), (order, scene: Scene) => lyingIds(scene, order.depth)),
  'lying-contents': kind(z.strictObject({ changes: z.enum(LIES) }), (order, { chain }: Scene) =>
    lyingContents(chain, order.changes),
  ),
  'other-network': kind(nothing, (_, scene: Scene) =>
    instead(scene.chain.foreign(OTHER_NETWORK_BLOCKS), scene),
  ),
  /** The node stands still. */
  behind: kind(z.strictObject({ depth }), (order, scene: Scene) => {
    assertLongEnough(scene, order.depth);
    return instead(scene.chain.copy(scene.chain.log.height - order.depth), scene);
  }),
  backwards: kind(z.strictObject({ depth }), (order, scene: Scene) => backwards(scene, order.depth)),
  'forks-in-turn': kind(z.strictObject({ depth, each: depth.default(1) }), (order, scene: Scene) =>
    forksInTurn(scene, order.depth, order.each),
  ),
};
