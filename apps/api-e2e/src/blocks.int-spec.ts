import { bytesOf } from '@roundhouse/entities/tables';
import type { DataSource } from 'typeorm';
import { describeContract, type ContractCase } from './support/contract.js';
import { expectedBlock, json } from './support/expected.js';
import { blockId, HEAD_HEIGHT, NETHASH, SUPPLY } from './support/hand-made-chain.js';
import { seedChain } from './support/seed.js';

/** The heights from `highest` down to `lowest`. */
const blocks = (highest: number, lowest: number): string =>
  json({
    blocks: Array.from({ length: highest - lowest + 1 }, (_, index) => expectedBlock(highest - index)),
    success: true,
  });

const NONE = '{"blocks":[],"success":true}';

const LISTS: ContractCase[] = [
  { name: '100 by default, newest first', request: '/api/blocks', response: blocks(130, 31) },
  { name: 'a page', request: '/api/blocks?limit=3&offset=2', response: blocks(128, 126) },
  { name: 'leading zeros', request: '/api/blocks?limit=0002', response: blocks(130, 129) },
  { name: 'the largest limit', request: '/api/blocks?limit=100', response: blocks(130, 31) },
  {
    name: 'a page that ends at the genesis block',
    request: '/api/blocks?offset=128',
    response: blocks(2, 1),
  },
  { name: 'an offset past the end', request: '/api/blocks?offset=130', response: NONE },
  { name: 'the largest offset', request: '/api/blocks?offset=999999999999999', response: NONE },
  {
    name: 'unknown parameters are ignored',
    request: '/api/blocks?_=1&_=2&limit=1',
    response: blocks(130, 130),
  },
];

const BAD_LISTS: ContractCase[] = [
  ...['abc', '-1', '1.5', '1e3', '', '%2B1', '0x1', '1%20', '%D9%A1'].flatMap((value) => [
    {
      name: 'not a whole number',
      request: `/api/blocks?limit=${value}`,
      response: { status: 400, error: /"limit"/ },
    },
    {
      name: 'not a whole number',
      request: `/api/blocks?offset=${value}`,
      response: { status: 400, error: /"offset"/ },
    },
  ]),
  { name: 'at least 1', request: '/api/blocks?limit=0', response: { status: 400, error: /at least 1/ } },
  { name: 'at most 100', request: '/api/blocks?limit=101', response: { status: 400, error: /at most 100/ } },
  {
    name: 'more than 15 digits',
    request: '/api/blocks?offset=0000000000000001',
    response: { status: 400, error: /at most 15 digits/ },
  },
  {
    name: 'a repeated parameter',
    request: '/api/blocks?limit=1&limit=1',
    response: { status: 400, error: /more than once/ },
  },
  { name: 'no value', request: '/api/blocks?limit', response: { status: 400, error: /"limit"/ } },
];

const ONE: ContractCase[] = [
  {
    name: 'the head',
    request: `/api/blocks/get?id=${blockId(HEAD_HEIGHT)}`,
    response: json({ block: expectedBlock(HEAD_HEIGHT), success: true }),
  },
  {
    name: 'the genesis block, whose predecessor is "0"',
    request: `/api/blocks/get?id=${blockId(1)}`,
    response: json({ block: expectedBlock(1), success: true }),
  },
  {
    name: 'an id that no block has',
    request: '/api/blocks/get?id=18446744073709551615',
    response: { status: 404, error: /no block/ },
  },
  {
    name: '2^64 is no id',
    request: '/api/blocks/get?id=18446744073709551616',
    response: { status: 400, error: /block id/ },
  },
  { name: 'no id', request: '/api/blocks/get', response: { status: 400, error: /"id" is required/ } },
  ...['', 'abc', '-1', '1.0', '1'.repeat(21), 'ab'.repeat(31)].map((id) => ({
    name: 'not a block id',
    request: `/api/blocks/get?id=${id}`,
    response: { status: 400, error: /block id/ },
  })),
  {
    name: 'a long id on a chain that has none',
    request: `/api/blocks/get?id=${'ab'.repeat(32)}`,
    response: { status: 400, error: /1 to 20 digits/ },
  },
  {
    name: 'an id given twice',
    request: `/api/blocks/get?id=${blockId(1)}&id=${blockId(1)}`,
    response: { status: 400, error: /more than once/ },
  },
];

const CONSTANTS: ContractCase[] = [
  { name: 'an empty object', request: '/api/blocks/getFees', response: '{}' },
  {
    name: 'the fee of a transfer',
    request: '/api/blocks/getFee',
    response: '{"fee":10000000,"success":true}',
  },
  {
    name: 'ISO 8601 in UTC',
    request: '/api/blocks/getEpoch',
    response: '{"epoch":"2017-03-21T13:00:00.000Z","success":true}',
  },
  {
    name: 'height and id of the head',
    request: '/api/blocks/getHeight',
    response: `{"height":130,"id":"${blockId(HEAD_HEIGHT)}","success":true}`,
  },
  {
    name: 'height divided by 3,000,000',
    request: '/api/blocks/getMilestone',
    response: '{"milestone":0,"success":true}',
  },
  {
    name: 'the nethash',
    request: '/api/blocks/getNethash',
    response: `{"nethash":"${NETHASH}","success":true}`,
  },
  {
    name: 'the reward in force at the head',
    request: '/api/blocks/getReward',
    response: '{"reward":200000000,"success":true}',
  },
  {
    name: 'all constants of one head',
    request: '/api/blocks/getStatus',
    response: `{"epoch":"2017-03-21T13:00:00.000Z","height":130,"fee":10000000,"milestone":0,"nethash":"${NETHASH}","reward":200000000,"supply":${SUPPLY},"success":true}`,
  },
  {
    name: 'all digits of an odd amount above 2^53',
    request: '/api/blocks/getSupply',
    response: '{"supply":13092005600000001,"success":true}',
  },
];

describeContract('blocks', [...LISTS, ...BAD_LISTS, ...ONE, ...CONSTANTS]);

const LONG_ID = 'ab'.repeat(32);
const LONG_REWARD = 9_007_199_254_740_993n;

/** The head as a block with a SHA-256 id, at a milestone whose amounts no JavaScript number can hold. */
const seedLongIds = async (database: DataSource): Promise<void> => {
  await seedChain(database);
  const id = bytesOf('block id', LONG_ID);
  await database.query('UPDATE blocks SET height = 5999999 WHERE height = 129');
  await database.query('UPDATE blocks SET id = $1, height = 6000000 WHERE height = 130', [id]);
  await database.query('UPDATE head SET block_id = $1, height = 6000000', [id]);
  const milestone = `[{ "height": 6000000, "block": { "idFullSha256": true }, "reward": ${LONG_REWARD} }]`;
  await database.query(
    `UPDATE network SET configuration = jsonb_set(configuration, '{milestones}', configuration->'milestones' || $1::jsonb)`,
    [milestone],
  );
};

const LONG_BLOCK = json({
  block: { ...expectedBlock(HEAD_HEIGHT), id: LONG_ID, height: 6_000_000, confirmations: 0 },
  success: true,
});

describeContract(
  'blocks of a chain with SHA-256 ids',
  [
    { name: 'a long id', request: `/api/blocks/get?id=${LONG_ID}`, response: LONG_BLOCK },
    {
      name: 'upper case counts as lower case',
      request: `/api/blocks/get?id=${LONG_ID.toUpperCase()}`,
      response: LONG_BLOCK,
    },
    {
      name: 'short ids as well',
      request: '/api/blocks/get?id=12',
      response: { status: 404, error: /no block/ },
    },
    {
      name: 'rounded down',
      request: '/api/blocks/getMilestone',
      response: '{"milestone":2,"success":true}',
    },
    {
      name: 'all digits of a configured amount',
      request: '/api/blocks/getReward',
      response: `{"reward":${LONG_REWARD},"success":true}`,
    },
    {
      name: 'the fee of a later milestone, which keeps all other fees',
      request: '/api/blocks/getFee',
      response: '{"fee":1,"success":true}',
    },
    {
      name: 'a fee that the later milestone does not name',
      request: '/api/signatures/fee',
      response: '{"fee":500000000,"success":true}',
    },
  ],
  { seed: seedLongIds },
);
