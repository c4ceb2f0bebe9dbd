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
  ['100 by default, newest first', '/api/blocks', blocks(130, 31)],
  ['a page', '/api/blocks?limit=3&offset=2', blocks(128, 126)],
  ['leading zeros', '/api/blocks?limit=0002', blocks(130, 129)],
  ['the largest limit', '/api/blocks?limit=100', blocks(130, 31)],
  ['a page that ends at the genesis block', '/api/blocks?offset=128', blocks(2, 1)],
  ['an offset past the end', '/api/blocks?offset=130', NONE],
  ['the largest offset', '/api/blocks?offset=999999999999999', NONE],
  ['unknown parameters are ignored', '/api/blocks?_=1&_=2&limit=1', blocks(130, 130)],
];

const BAD_LISTS: ContractCase[] = [
  ...['limit', 'offset'].flatMap((name) => [
    ...['abc', '-1', '1.5', '1e3', '', '%2B1', '0x1', '1%20', '%201', '%D9%A1'].map((value): ContractCase => [
      'not a whole number',
      `/api/blocks?${name}=${value}`,
      [400, RegExp(`"${name}"`)],
    ]),
    ['a repeated parameter', `/api/blocks?${name}=1&${name}=1`, [400, /more than once/]] as const,
  ]),
  ['at least 1', '/api/blocks?limit=0', [400, /at least 1/]],
  ['at most 100', '/api/blocks?limit=101', [400, /at most 100/]],
  ['more than 15 digits', '/api/blocks?offset=0000000000000001', [400, /at most 15 digits/]],
  ['no value', '/api/blocks?limit', [400, /"limit"/]],
];

const get = (id: string): string => `/api/blocks/get?id=${id}`;

const ONE: ContractCase[] = [
  ['the head', get(blockId(HEAD_HEIGHT)), json({ block: expectedBlock(HEAD_HEIGHT), success: true })],
  [
    'the genesis block, whose predecessor is "0"',
    get(blockId(1)),
    json({ block: expectedBlock(1), success: true }),
  ],
  ['an id that no block has', get('18446744073709551615'), [404, /no block/]],
  ['2^64 is no id', get('18446744073709551616'), [400, /block id/]],
  ['no id', '/api/blocks/get', [400, /"id" is required/]],
  ...['', 'abc', '-1', '1.0', '1'.repeat(21), 'ab'.repeat(31)].map((id): ContractCase => [
    'not a block id',
    get(id),
    [400, /block id/],
  ]),
  ['a long id on a chain that has none', get('ab'.repeat(32)), [400, /1 to 20 digits/]],
  ['an id given twice', `${get(blockId(1))}&id=${blockId(1)}`, [400, /more than once/]],
];

const CONSTANTS: ContractCase[] = [
  ['an empty object', '/api/blocks/getFees', '{}'],
  ['the fee of a transfer', '/api/blocks/getFee', '{"fee":10000000,"success":true}'],
  ['the fee of a second signature', '/api/signatures/fee', '{"fee":500000000,"success":true}'],
  ['ISO 8601 in UTC', '/api/blocks/getEpoch', '{"epoch":"2017-03-21T13:00:00.000Z","success":true}'],
  [
    'height and id of the head',
    '/api/blocks/getHeight',
    `{"height":130,"id":"${blockId(HEAD_HEIGHT)}","success":true}`,
  ],
  ['height divided by 3,000,000', '/api/blocks/getMilestone', '{"milestone":0,"success":true}'],
  ['the nethash', '/api/blocks/getNethash', `{"nethash":"${NETHASH}","success":true}`],
  ['the reward in force at the head', '/api/blocks/getReward', '{"reward":200000000,"success":true}'],
  [
    'all constants of one head',
    '/api/blocks/getStatus',
    `{"epoch":"2017-03-21T13:00:00.000Z","height":130,"fee":10000000,"milestone":0,"nethash":"${NETHASH}","reward":200000000,"supply":${SUPPLY},"success":true}`,
  ],
  [
    'all digits of an odd amount above 2^53',
    '/api/blocks/getSupply',
    '{"supply":13092005600000001,"success":true}',
  ],
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
    ['a long id', get(LONG_ID), LONG_BLOCK],
    ['upper case counts as lower case', get(LONG_ID.toUpperCase()), LONG_BLOCK],
    ['short ids as well', get('12'), [404, /no block/]],
    ['rounded down', '/api/blocks/getMilestone', '{"milestone":2,"success":true}'],
    [
      'all digits of a configured amount',
      '/api/blocks/getReward',
      `{"reward":${LONG_REWARD},"success":true}`,
    ],
    [
      'the fee of a later milestone, which keeps all other fees',
      '/api/blocks/getFee',
      '{"fee":1,"success":true}',
    ],
    [
      'a fee that the later milestone does not name',
      '/api/signatures/fee',
      '{"fee":500000000,"success":true}',
    ],
  ],
  { seed: seedLongIds },
);
