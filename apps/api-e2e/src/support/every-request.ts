import { getText } from './requests.js';

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
}

type Values = Readonly<Record<string, string>>;

/** Routes of Core's version 1 that read the database, by their parameters. */
const coreV1Requests = ({ id, transaction, address, publicKey, username }: Values): string[] =>
  [
    ...[`accounts?address=${address}`, `accounts/getBalance?address=${address}`, 'accounts/count'],
    ...[`accounts/getPublicKey?address=${address}`, `accounts/delegates?address=${address}`],
    ...['accounts/top?limit=5', 'accounts/getAllAccounts?limit=5&orderBy=balance:asc'],
    ...['blocks?limit=3', 'blocks?orderBy=height:asc&offset=2', `blocks/get?id=${id}`, 'blocks/getStatus'],
    ...['delegates?orderBy=vote:desc', `delegates/get?username=${username}`, 'delegates/search?q=e'],
    ...[`delegates/voters?publicKey=${publicKey}`, 'delegates/getNextForgers'],
    `delegates/forging/getForgedByAccount?generatorPublicKey=${publicKey}`,
    ...[
      'transactions?limit=3',
      'transactions?orderBy=amount:asc&type=0',
      `transactions/get?id=${transaction}`,
    ],
  ].map((path) => `/api/v1/${path}`);

/**
 * Requests for each documented answer, with values of the index behind `url`: one with the required parameters, and
 * one more for each optional parameter. Then requests to Core's version 1. Throws if a new parameter has no value here.
 */
export const everyRequest = async (url: string): Promise<string[]> => {
  const get = async <T>(path: string): Promise<T> => JSON.parse((await getText(url, path)).text) as T;
  // Registered in the first block, so that every range of heights has payouts.
  const { delegates } = await get<{ delegates: Values[] }>('/api/delegates/search?q=genesis_&limit=1');
  const { transactions } = await get<{ transactions: Values[] }>('/api/transactions?limit=1');
  // A chain without transactions has none with this id.
  const transaction = transactions[0]?.['id'] ?? 'ab'.repeat(32);
  const { height, id } = await get<{ height: number; id: string }>('/api/blocks/getHeight');
  const { username, publicKey, address } = delegates[0]!;
  const values: Values = {
    ...{ id, username, publicKey, address, sender: address, recipient: address },
    ...{
      generatorPublicKey: publicKey,
      account: address,
      delegate: publicKey,
      block: id,
      height: String(height - 7),
      from: '9',
      to: '90',
    },
    ...{ q: 'e', limit: '3', offset: '2', orderBy: 'username:desc', transaction },
    ...{
      type: '0',
      typeGroup: '1',
      minAmount: '2',
      maxAmount: '10000000000',
      minHeight: '3',
      maxHeight: '99',
    },
    ...{ share: '90.5', minimum: '1', cap: '100000000000', exclude: address, format: 'csv' },
  } as Values;
  const valueOf = (path: string, name: string): string => {
    const value = path === '/api/transactions/{id}' ? values['transaction'] : values[name];
    if (value === undefined) throw new Error(`Give ${name} of ${path} a value.`);
    return `${encodeURIComponent(value)}`;
  };
  const requests: string[] = [];
  const { paths } = await get<{ paths: Record<string, { get: Operation }> }>('/docs/json');
  for (const [path, { get: operation }] of Object.entries(paths)) {
    if (path === '/events') continue;
    const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
    const targetWith = (segmentOf: (name: string) => string): string =>
      path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name));
    const target = targetWith((name) => valueOf(path, name));
    const needed = queries.filter(({ required }) => required);
    const query = `?${needed.map(({ name }) => `${name}=${valueOf(path, name)}&`).join('')}`;
    const start = target + query;
    requests.push(start);
    for (const { name, required } of queries) {
      if (required) continue;
      if (path.includes(`{${name}}`)) {
        requests.push(`${targetWith(() => '-')}${query}${name}=${valueOf(path, name)}`);
        continue;
      }
      const value =
        name === 'cursor'
          ? (await get<{ nextCursor: string | null }>(`${start}limit=1`)).nextCursor
          : valueOf(path, name);
      if (value !== null) requests.push(`${start}${name}=${value}`);
    }
  }
  return [...requests, ...coreV1Requests(values)].map((path) => path.replace(/[?&]$/, ''));
};
