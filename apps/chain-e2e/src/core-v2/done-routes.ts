/** The routes of Core's version 2 that the api answers so far; `elsewhere`: requests that no route answers. */
export const DONE: readonly string[] = [
  'elsewhere',
  'blockchain',
  ...['blocks', 'blocks/first', 'blocks/last', 'blocks/{id}', 'blocks/{id}/transactions'],
  ...['node/status', 'node/syncing', 'node/configuration', 'node/configuration/crypto'],
  'peers',
  'peers/{id}',
  ...['transactions', 'transactions/{id}', 'transactions/types', 'transactions/schemas', 'transactions/fees'],
  ...[
    'transactions/unconfirmed',
    'transactions/unconfirmed/{id}',
    'transactions/sent',
    'transactions/received',
  ],
  ...['votes', 'votes/{id}', 'votes/types', 'votes/unconfirmed'],
];
