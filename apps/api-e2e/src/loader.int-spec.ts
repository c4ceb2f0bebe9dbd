import type { DataSource } from 'typeorm';
import { describeContract, type ContractCase } from './support/contract.js';
import { blockId, HEAD_HEIGHT, NETHASH } from './support/hand-made-chain.js';
import { seedChain, seedNetwork } from './support/seed.js';

const HEAD_ID = blockId(HEAD_HEIGHT);

const status = (loaded: boolean, now: number, blocksCount: number, id: string): ContractCase[] => [
  {
    name: `${loaded ? 'loaded' : 'not loaded'}, ${blocksCount} blocks to go`,
    request: '/api/loader/status',
    response: `{"loaded":${loaded},"now":${now},"blocksCount":${blocksCount},"success":true}`,
  },
  {
    name: 'the same facts',
    request: '/api/loader/status/sync',
    response: `{"syncing":${!loaded},"blocks":${blocksCount},"height":${now},"id":"${id}","success":true}`,
  },
];

const withSourceAt = (height: number) => ({
  seed: async (database: DataSource): Promise<void> => {
    await seedChain(database);
    await database.query('UPDATE source_status SET height = $1', [height]);
  },
});

const CONFIGURATION: ContractCase = {
  name: 'the network; its version is the first byte of addresses',
  request: '/api/loader/autoconfigure',
  response: `{"success":true,"network":{"nethash":"${NETHASH}","token":"HAND","symbol":"H","explorer":"https://explorer.example","version":30}}`,
};

const NO_NETWORK = { status: 503, error: /network is not known/ };
const NO_BLOCK = { status: 503, error: /No block is indexed/ };

describeContract('loader at the tip', [CONFIGURATION, ...status(true, HEAD_HEIGHT, 0, HEAD_ID)]);

describeContract(
  'loader one block behind the node',
  status(true, HEAD_HEIGHT, 1, HEAD_ID),
  withSourceAt(HEAD_HEIGHT + 1),
);

describeContract(
  'loader two blocks behind the node',
  status(false, HEAD_HEIGHT, 2, HEAD_ID),
  withSourceAt(HEAD_HEIGHT + 2),
);

describeContract(
  'loader with a node that is behind',
  status(true, HEAD_HEIGHT, -30, HEAD_ID),
  withSourceAt(HEAD_HEIGHT - 30),
);

// The indexer asks every second and last asked 24 s ago: it no longer runs.
describeContract(
  'loader when nothing has been heard from the node for too long',
  status(false, HEAD_HEIGHT, 0, HEAD_ID),
  {
    seed: async (database) => {
      await seedChain(database);
      await database.query(
        "UPDATE source_status SET check_interval_ms = 1000, checked_at = now() - interval '24 s'",
      );
    },
  },
);

describeContract('loader while the node is asked rarely', status(true, HEAD_HEIGHT, 0, HEAD_ID), {
  seed: async (database) => {
    await seedChain(database);
    await database.query(
      "UPDATE source_status SET check_interval_ms = 60000, checked_at = now() - interval '90 s'",
    );
  },
});

describeContract('loader before anything was heard from the node', status(false, HEAD_HEIGHT, 0, HEAD_ID), {
  seed: async (database) => {
    await seedChain(database);
    await database.query('DELETE FROM source_status');
  },
});

describeContract(
  'an empty index',
  [
    ...status(false, 0, 0, '0'),
    { name: 'no network yet', request: '/api/loader/autoconfigure', response: NO_NETWORK },
    { name: 'no head yet', request: '/api/blocks/getHeight', response: NO_BLOCK },
    { name: 'no network yet', request: '/api/blocks/getNethash', response: NO_NETWORK },
    { name: 'nothing to list', request: '/api/blocks', response: NO_BLOCK },
  ],
  { seed: async () => undefined },
);

describeContract(
  'an index of a known network before its first block',
  [
    CONFIGURATION,
    ...status(false, 0, 5, '0'),
    ...[
      '/api/blocks',
      `/api/blocks/get?id=${HEAD_ID}`,
      '/api/blocks/getFee',
      '/api/blocks/getHeight',
      '/api/blocks/getMilestone',
      '/api/blocks/getReward',
      '/api/blocks/getStatus',
      '/api/blocks/getSupply',
      '/api/delegates',
      '/api/delegates/count',
      '/api/delegates/fee',
      '/api/delegates/getNextForgers',
      '/api/delegates/search?q=a',
      '/api/signatures/fee',
    ].map((request) => ({ name: 'no head yet', request, response: NO_BLOCK })),
  ],
  {
    seed: async (database) => {
      await seedNetwork(database);
      await database.query("INSERT INTO source_status (source, height) VALUES ('here', 5)");
    },
  },
);
