import { describe, expect, it } from '@jest/globals';
import { readAnswer } from '../answer.js';
import { BlockTree, type TreeBlock } from '../block-tree.js';
import { Inspection } from '../inspection.js';
import type { Question } from '../questions.js';
import { SameHead } from '../same-head.js';
import { checkAnyAnswer } from './any-answer.js';
import { checkBlockList, checkHeight, checkOneBlock } from './blocks.js';
import { checkDelegateList, checkForged, checkNextForgers, checkSearch, checkVoters } from './delegates.js';
import { checkLoaderStatus, checkSync } from './loader.js';
import { checkGetSupply, checkStatus } from './supply.js';

const GENESIS = 9_007_199_254_740_993n; // past 2^53

const block = (
  height: number,
  branch = 'a',
  generatorPublicKey = height % 2 ? 'odd' : 'even',
): TreeBlock => ({
  id: height < 3 ? `${height}` : `${height}${branch}`,
  height,
  previousBlock: height < 4 ? `${height - 1}` : `${height - 1}${branch}`,
  generatorPublicKey,
  totalFee: String(height),
  reward: height > 1 ? '100' : '0',
});

/** Blocks 1 and 2 with two branches above: `a` up to 5 and `b` up to 4. On `b` another delegate forged block 3. */
const tree = new BlockTree();
[block(1), block(2), block(3), block(4), block(5), block(3, 'b', 'even'), block(4, 'b')].forEach((each) =>
  tree.add(each),
);

const headers = { 'x-chain-height': '5', 'x-indexed-at': '2026-01-01T00:00:00.000Z' };

interface Planted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns all problems of an answer. */
const problemsOf = (check: Question['check'], body: object | string, planted: Planted = {}): string[] => {
  const text = typeof body === 'string' ? body : write(body);
  const { status = 200 } = planted;
  const seen = new Inspection(
    readAnswer('/x', status, new Headers({ ...headers, ...planted.headers }), text),
  );
  if (checkAnyAnswer(seen)) check(seen);
  return [
    ...seen.problems,
    ...seen.claims.filter(({ holds }) => !holds(tree)).map(({ sentence }) => sentence),
  ];
};

/** JSON with bigint, as the api writes it. */
const write = (value: object): string =>
  JSON.stringify({ success: true, ...value }, (_key, part: unknown) =>
    typeof part === 'bigint' ? `#${part}#` : part,
  ).replace(/"#(\d+)#"/g, '$1');

const shown = ({ id, height, previousBlock }: TreeBlock, confirmations: number): object => ({
  id,
  height,
  previousBlock,
  confirmations,
});

const delegate = (publicKey: string, producedblocks?: number) => ({ publicKey, producedblocks });
const voter = (address: string, balance: number | bigint) => ({ address, balance });

interface Case {
  readonly what: string;
  readonly check: Question['check'];
  readonly right: object;
  /** By what is wrong with them. */
  readonly wrong: Readonly<Record<string, object>>;
}

describe('the checks of the api’s answers', () => {
  const five = shown(block(5), 0);
  const four = shown(block(4), 1);
  const three = shown(block(3), 2);
  const fourOnB = shown(block(4, 'b'), 1);
  const CASES: readonly Case[] = [
    {
      what: 'a list of blocks',
      check: checkBlockList(0),
      right: { blocks: [five, four, three] },
      wrong: {
        'a gap': { blocks: [five, three] },
        'a block of another branch': { blocks: [five, fourOnB, three] },
        'a block that nobody forged': { blocks: [{ ...five, id: 'z' }, four] },
        'confirmations of another head': { blocks: [five, { ...four, confirmations: 2 }] },
        'the wrong order': { blocks: [four, five] },
        'no list': { blocks: 7 },
      },
    },
    {
      what: 'a list that begins lower',
      check: checkBlockList(1),
      right: { blocks: [four, three] },
      wrong: { 'the head': { blocks: [five] } },
    },
    {
      what: 'one block',
      check: checkOneBlock('4b'),
      right: { block: fourOnB },
      wrong: {
        another: { block: four },
        'no confirmations': { block: { ...fourOnB, confirmations: 0 } },
        'a wrong height': { block: { ...shown(block(4, 'b'), 2), height: 3 } },
      },
    },
    {
      what: 'the height',
      check: checkHeight,
      right: { height: 5, id: '5a' },
      wrong: {
        'a height that differs from the header': { height: 4, id: '4a' },
        'an id of another height': { height: 5, id: '4a' },
      },
    },
    {
      what: 'the sync status',
      check: checkSync,
      right: { height: 5, id: '5a', blocks: 0 },
      wrong: { 'an id that nobody forged': { height: 5, id: '5b', blocks: 0 } },
    },
    {
      what: 'the load status',
      check: checkLoaderStatus,
      right: { now: 5, blocksCount: 1, loaded: true },
      wrong: {
        'another height': { now: 4, blocksCount: 1, loaded: true },
        'loaded although it is behind': { now: 5, blocksCount: 2, loaded: true },
        'no field "loaded"': { now: 5, blocksCount: 1 },
      },
    },
    {
      what: 'the supply',
      check: checkGetSupply(GENESIS),
      right: { supply: GENESIS + 400n },
      wrong: {
        'one reward too many': { supply: GENESIS + 500n },
        'digits lost': { supply: GENESIS + 399n },
      },
    },
    {
      what: 'the status',
      check: checkStatus(GENESIS),
      right: { height: 5, supply: GENESIS + 400n },
      wrong: { 'the supply of the block below': { height: 5, supply: GENESIS + 300n } },
    },
    {
      what: 'a forged total',
      check: checkForged('odd'),
      right: { fees: 8, rewards: 200, forged: 208 },
      wrong: {
        'a wrong sum': { fees: 8, rewards: 200, forged: 209 },
        'totals of no branch': { fees: 9, rewards: 200, forged: 209 },
        'totals of a head below': { fees: 3, rewards: 100, forged: 103 },
      },
    },
    {
      what: 'the result of a search',
      check: checkSearch,
      right: { delegates: [delegate('odd', 2), delegate('even', 2)] },
      wrong: {
        'one block too many': { delegates: [delegate('odd', 3)] },
        'counts of two heads': { delegates: [delegate('odd', 2), delegate('even', 1)] },
      },
    },
    {
      what: 'a list of delegates',
      check: checkDelegateList,
      right: { delegates: [delegate('odd'), delegate('even')] },
      wrong: { 'one of them twice': { delegates: [delegate('odd'), delegate('odd')] } },
    },
    {
      what: 'voters',
      check: checkVoters,
      right: { accounts: [voter('x', GENESIS), voter('y', 7)] },
      wrong: {
        'the smaller balance first': { accounts: [voter('x', 7), voter('y', GENESIS)] },
        'one of them twice': { accounts: [voter('x', 7), voter('x', 7)] },
        'a balance that is not an amount': { accounts: [voter('x', 7.5)] },
      },
    },
    {
      what: 'the next forgers',
      check: checkNextForgers,
      right: { currentBlock: 5, delegates: [...'abcdefghij'] },
      wrong: {
        'of another block': { currentBlock: 4, delegates: [...'abcdefghij'] },
        'one of them twice': { currentBlock: 5, delegates: [...'abcdefghia'] },
        'too few': { currentBlock: 5, delegates: [...'abc'] },
      },
    },
  ];

  it.each(CASES)('take $what, and catch what is wrong with it', ({ check, right, wrong }) => {
    expect(problemsOf(check, right)).toEqual([]);
    const missed = Object.entries(wrong).filter(([, planted]) => problemsOf(check, planted).length === 0);
    expect(missed).toEqual([]);
  });

  const nothing = (): void => undefined;

  it.each([
    ['no JSON', '<html>', {}],
    ['cut JSON', '{"success": tr', {}],
    ['no success', { success: false }, {}],
    ['an undocumented status', { success: false, error: 'Why?' }, { status: 500 }],
    ['503 without Retry-After', { success: false, error: 'Later.' }, { status: 503 }],
    ['an error of another form', { success: false, message: 'Later.' }, { status: 404 }],
  ])('catch an answer of any kind with %s', (_name, body, planted) => {
    expect(problemsOf(nothing, body, planted)).toHaveLength(1);
  });

  it('accept a 503 with Retry-After', () => {
    const refusal = { status: 503, headers: { 'retry-after': '1' } };
    expect(problemsOf(checkHeight, { success: false, error: 'Later.' }, refusal)).toEqual([]);
  });

  it('catch different answers to one question at one head', () => {
    const sameHead = new SameHead();
    const answer = (count: number, height: string) =>
      readAnswer('/x', 200, new Headers({ ...headers, 'x-chain-height': height }), write({ count }));
    expect(sameHead.check(answer(1, '5'))).toBeNull();
    expect(sameHead.check(answer(1, '5'))).toBeNull();
    expect(sameHead.check(answer(2, '6'))).toBeNull();
    expect(sameHead.check(answer(2, '5'))).toContain('two answers at height 5');
  });
});
