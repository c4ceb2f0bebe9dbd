/** The routes of Core's version 1 that the api answers so far. */
export const DONE: readonly string[] = [
  'signatures/fee',
  ...['status', 'status/sync', 'autoconfigure'].map((name) => `loader/${name}`),
  ...['get', 'getEpoch', 'getHeight', 'getheight', 'getNethash', 'getFee', 'getFees', 'getfees'].map(
    (name) => `blocks/${name}`,
  ),
  ...['getMilestone', 'getReward', 'getSupply', 'getStatus'].map((name) => `blocks/${name}`),
  'delegates',
  ...['get', 'count', 'search', 'voters', 'fee', 'forging/getForgedByAccount', 'getNextForgers'].map(
    (name) => `delegates/${name}`,
  ),
  'peers',
  'peers/get',
  'peers/version',
  'blocks',
  'transactions',
  'transactions/get',
  'transactions/unconfirmed',
  'transactions/unconfirmed/get',
  'accounts',
  ...['getAllAccounts', 'getBalance', 'getPublicKey', 'delegates', 'delegates/fee', 'top', 'count'].map(
    (name) => `accounts/${name}`,
  ),
];
