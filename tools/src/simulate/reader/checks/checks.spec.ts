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

describe('the checks of the api’s answers', () => {
  const five = shown(block(5), 0);
  const four = shown(block(4), 1);
  const three = shown(block(3), 2);
  const cases: readonly [string, Question['check'], object, [string, object][]][] = [
    [
      'a list of blocks',
      checkBlockList(0),
      { blocks: [five, four, three] },
      [
        ['a gap', { blocks: [five, three] }],
        ['a block of another branch', { blocks: [five, shown(block(4, 'b'), 1), three] }],
        ['a block that nobody forged', { blocks: [{ ...five, id: 'z' }, four] }],
        ['confirmations of another head', { blocks: [five, { ...four, confirmations: 2 }] }],
        ['the wrong order', { blocks: [four, five] }],
        ['no list', { blocks: 7 }],
      ],
    ],
    [
      'a list that begins lower',
      checkBlockList(1),
      { blocks: [four, three] },
      [['the head', { blocks: [five] }]],
    ],
    [
      'one block',
      checkOneBlock('4b'),
      { block: shown(block(4, 'b'), 1) },
      [
        ['another', { block: four }],
        ['no confirmations', { block: { ...shown(block(4, 'b'), 1), confirmations: 0 } }],
        ['a wrong height', { block: { ...shown(block(4, 'b'), 2), height: 3 } }],
      ],
    ],
    [
      'the height',
      checkHeight,
      { height: 5, id: '5a' },
      [
        ['a height that differs from the header', { height: 4, id: '4a' }],
        ['an id of another height', { height: 5, id: '4a' }],
      ],
    ],
    [
      'the sync status',
      checkSync,
      { height: 5, id: '5a', blocks: 0 },
      [['an id that nobody forged', { height: 5, id: '5b', blocks: 0 }]],
    ],
    [
      'the load status',
      checkLoaderStatus,
      { now: 5, blocksCount: 1, loaded: true },
      [
        ['another height', { now: 4, blocksCount: 1, loaded: true }],
        ['loaded although it is behind', { now: 5, blocksCount: 2, loaded: true }],
        ['no field "loaded"', { now: 5, blocksCount: 1 }],
      ],
    ],
    [
      'the supply',
      checkGetSupply(GENESIS),
      { supply: GENESIS + 400n },
      [
        ['one reward too many', { supply: GENESIS + 500n }],
        ['digits lost', { supply: GENESIS + 399n }],
      ],
    ],
    [
      'the status',
      checkStatus(GENESIS),
      { height: 5, supply: GENESIS + 400n },
      [['the supply of the block below', { height: 5, supply: GENESIS + 300n }]],
    ],
    [
      'a forged total',
      checkForged('odd'),
      { fees: 8, rewards: 200, forged: 208 },
      [
        ['a wrong sum', { fees: 8, rewards: 200, forged: 209 }],
        ['totals of no branch', { fees: 9, rewards: 200, forged: 209 }],
        ['totals of a head below', { fees: 3, rewards: 100, forged: 103 }],
      ],
    ],
    [
      'the result of a search',
      checkSearch,
      {
        delegates: [
          { publicKey: 'odd', producedblocks: 2 },
          { publicKey: 'even', producedblocks: 2 },
        ],
      },
      [
        ['one block too many', { delegates: [{ publicKey: 'odd', producedblocks: 3 }] }],
        [
          'counts of two heads',
          {
            delegates: [
              { publicKey: 'odd', producedblocks: 2 },
              { publicKey: 'even', producedblocks: 1 },
            ],
          },
        ],
      ],
    ],
    [
      'a list of delegates',
      checkDelegateList,
      { delegates: [{ publicKey: 'odd' }, { publicKey: 'even' }] },
      [['one of them twice', { delegates: [{ publicKey: 'odd' }, { publicKey: 'odd' }] }]],
    ],
    [
      'voters',
      checkVoters,
      {
        accounts: [
          { address: 'x', balance: GENESIS },
          { address: 'y', balance: 7 },
        ],
      },
      [
        [
          'the smaller balance first',
          {
            accounts: [
              { address: 'x', balance: 7 },
              { address: 'y', balance: GENESIS },
            ],
          },
        ],
        [
          'one of them twice',
          {
            accounts: [
              { address: 'x', balance: 7 },
              { address: 'x', balance: 7 },
            ],
          },
        ],
        ['a balance that is not an amount', { accounts: [{ address: 'x', balance: 7.5 }] }],
      ],
    ],
    [
      'the next forgers',
      checkNextForgers,
      { currentBlock: 5, delegates: [...'abcdefghij'] },
      [
        ['of another block', { currentBlock: 4, delegates: [...'abcdefghij'] }],
        ['one of them twice', { currentBlock: 5, delegates: [...'abcdefghia'] }],
        ['too few', { currentBlock: 5, delegates: [...'abc'] }],
      ],
    ],
  ];

  describe.each(cases)('%s', (_name, check, right, wrong) => {
    it('passes if it is right', () => {
      expect(problemsOf(check, right)).toEqual([]);
    });

    it.each(wrong)('is caught with %s', (_what, planted) => {
      expect(problemsOf(check, planted)).not.toEqual([]);
    });
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
