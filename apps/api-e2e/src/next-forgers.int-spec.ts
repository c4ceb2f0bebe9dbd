import { bytesOf } from '@roundhouse/entities/tables';
import type { DataSource } from 'typeorm';
import { describeContract } from './support/contract.js';
import { blockId, numbersOf, publicKey } from './support/hand-made-chain.js';
import { seedChain } from './support/seed.js';

const forgers = (currentBlock: number, currentSlot: number, indexes: readonly number[]): string =>
  JSON.stringify({ currentBlock, currentSlot, delegates: indexes.map(publicKey), success: true });

describeContract('getNextForgers within a round', [
  {
    // The head's slot is 200; its round forges in the order 3, 2, 1, 0, so slot 201 is 2's.
    name: 'ten by default, or as many as are active',
    request: '/api/delegates/getNextForgers',
    response: forgers(130, 200, [2, 1, 0, 3]),
  },
  {
    name: 'as many as requested',
    request: '/api/delegates/getNextForgers?limit=3',
    response: forgers(130, 200, [2, 1, 0]),
  },
  {
    name: 'at most as many as are active',
    request: '/api/delegates/getNextForgers?limit=5',
    response: { status: 400, error: /at most 4/ },
  },
  {
    name: 'at least one',
    request: '/api/delegates/getNextForgers?limit=0',
    response: { status: 400, error: /at least 1/ },
  },
  {
    name: 'no number',
    request: '/api/delegates/getNextForgers?limit=x',
    response: { status: 400, error: /"limit"/ },
  },
]);

/** Makes the block at `height` the head, with everything else that has to change. */
const withHeadAt =
  (height: number, ...statements: string[]) =>
  async (database: DataSource): Promise<void> => {
    await seedChain(database);
    const head = [bytesOf('block id', blockId(height)), height];
    await database.query('UPDATE blocks SET id = $1, height = $2 WHERE height = 130', head);
    await database.query('UPDATE head SET block_id = $1, height = $2', head);
    for (const statement of statements) await database.query(statement);
  };

describeContract(
  'getNextForgers at the last block of a round',
  [
    {
      name: "the next round's order",
      request: '/api/delegates/getNextForgers',
      response: forgers(132, 200, [1, 2, 6, 0]),
    },
  ],
  { seed: withHeadAt(132) },
);

describeContract(
  'getNextForgers of a round with fewer delegates than may be active',
  [
    {
      name: 'the slots go round',
      request: '/api/delegates/getNextForgers',
      response: forgers(132, 200, [3, 5, 4, 3]),
    },
  ],
  {
    // 201 mod 3 is 0.
    seed: withHeadAt(
      132,
      `UPDATE rounds SET forging_order = '{${numbersOf(3, 5, 4).join(',')}}' WHERE round = 34`,
    ),
  },
);

const addMilestone = (milestone: string): string =>
  `UPDATE network SET configuration = jsonb_set(configuration, '{milestones}', configuration->'milestones' || '[${milestone}]'::jsonb)`;

describeContract(
  'getNextForgers after a change of block time',
  [
    {
      // Block 100 lies at second 792, in slot 99; from 800 (slot 100) on a slot takes 4 s: 100 + (1603 - 800) / 4.
      name: 'slots are counted piecewise',
      request: '/api/delegates/getNextForgers?limit=1',
      response: forgers(130, 300, [2]),
    },
  ],
  { seed: withHeadAt(130, addMilestone('{ "height": 101, "blocktime": 4 }')) },
);

describeContract(
  'getNextForgers if the next round has more delegates',
  [
    {
      name: 'the largest limit is that of the next block',
      request: '/api/delegates/getNextForgers?limit=5',
      response: forgers(132, 200, [1, 2, 6, 0, 1]),
    },
  ],
  { seed: withHeadAt(132, addMilestone('{ "height": 133, "activeDelegates": 5 }')) },
);
