import type { OpenApi, Parameter } from './api-document.js';
import { getText } from './requests.js';
import { fittingTexts } from './schema-texts.js';

type Values = Readonly<Record<string, string>>;

/** Routes of Core's version 1 that read the database, by their parameters. */
const coreV1Requests = ({ id, transaction, address, publicKey, username }: Values): string[] =>
  [
    `accounts?address=${address}`,
    `accounts/getBalance?address=${address}`,
    'accounts/count',
    `accounts/getPublicKey?address=${address}`,
    `accounts/delegates?address=${address}`,
    'accounts/top?limit=5',
    'accounts/getAllAccounts?limit=5&orderBy=balance:asc',
    'blocks?limit=3',
    'blocks?orderBy=height:asc&offset=2',
    `blocks/get?id=${id}`,
    'blocks/getStatus',
    'delegates?orderBy=vote:desc',
    `delegates/get?username=${username}`,
    'delegates/search?q=e',
    `delegates/voters?publicKey=${publicKey}`,
    'delegates/getNextForgers',
    `delegates/forging/getForgedByAccount?generatorPublicKey=${publicKey}`,
    'transactions?limit=3',
    'transactions?orderBy=amount:asc&type=0',
    `transactions/get?id=${transaction}`,
  ].map((path) => `/api/v1/${path}`);

const getJson = async <T>(url: string, path: string): Promise<T> =>
  JSON.parse((await getText(url, path)).text) as T;

/** Values of an index for parameters with these names. */
const valuesOf = async (url: string): Promise<Values> => {
  const get = <T>(path: string): Promise<T> => getJson(url, path);
  // Registered in the first block, so that every range of heights has payouts.
  const { delegates } = await get<{ delegates: Values[] }>('/api/delegates/search?q=genesis_&limit=1');
  const { transactions } = await get<{ transactions: Values[] }>('/api/transactions?limit=1');
  // A chain without transactions has none with this id.
  const transaction = transactions[0]?.['id'] ?? 'ab'.repeat(32);
  const { height, id } = await get<{ height: number; id: string }>('/api/blocks/getHeight');
  const { username, publicKey, address } = delegates[0]!;
  return {
    id,
    username,
    publicKey,
    address,
    sender: address,
    recipient: address,
    generatorPublicKey: publicKey,
    account: address,
    delegate: publicKey,
    block: id,
    head: String(height),
    height: String(height - 7),
    from: '9',
    to: '90',
    q: 'e',
    limit: '3',
    offset: '2',
    orderBy: 'username:desc',
    transaction,
    type: '0',
    typeGroup: '1',
    minAmount: '2',
    maxAmount: '10000000000',
    minHeight: '3',
    maxHeight: '99',
    share: '90.5',
    minimum: '1',
    cap: '100000000000',
    exclude: address,
    format: 'csv',
  } as Values;
};

/** A guess may be malformed, or name nothing. All else is for the test to judge. */
const WRONG_GUESS: readonly number[] = [400, 404];

/** Each way to choose one of the texts of every parameter. */
const combinations = (names: readonly string[], textsOf: (name: string) => readonly string[]): Values[] =>
  names.reduce<Values[]>(
    (chosen, name) => chosen.flatMap((values) => textsOf(name).map((text) => ({ ...values, [name]: text }))),
    [{}],
  );

const queryOf = (values: Values, names: readonly string[]): string =>
  names.map((name) => `${name}=${encodeURIComponent(values[name]!)}&`).join('');

const segmentsOf = (path: string, values: Values): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));

/** A request with the required parameters of a path, then one more for each optional parameter. */
const requestsFor = async (
  url: string,
  path: string,
  parameters: readonly Parameter[],
  known: Values,
): Promise<string[]> => {
  const guesses = [...new Set(Object.values(known))];
  const textsOf = (name: string): readonly string[] => {
    const { schema } = parameters.find((parameter) => parameter.name === name)!;
    const given = known[name] === undefined ? [] : [known[name]];
    return [...new Set([...given, ...fittingTexts(schema, guesses)])];
  };
  // Where all values are known, nothing is asked: the answers must still be unmade when a test asks for them.
  const own = parameters.filter((parameter) => parameter.in !== 'header' && parameter.name !== 'cursor');
  const isKnown = own.every(({ name }) => known[name] !== undefined);
  const choose = async (names: readonly string[], targetOf: (values: Values) => string): Promise<Values> => {
    const choices = combinations(names, textsOf);
    if (isKnown) return choices[0]!;
    for (const values of choices) {
      const { status } = await getText(url, targetOf(values));
      if (!WRONG_GUESS.includes(status)) return values;
    }
    throw new Error(`Give ${names.join(', ')} of ${path} a value: no guess is answered.`);
  };

  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const needed = queries.filter(({ required }) => required).map(({ name }) => name);
  const startOf = (values: Values): string => `${segmentsOf(path, values)}?${queryOf(values, needed)}`;
  const values = await choose([...inPath, ...needed], startOf);
  const start = startOf(values);
  const requests = [start];
  for (const { name } of queries.filter(({ required }) => !required)) {
    if (inPath.includes(name)) {
      requests.push(`${path.replace(/\{\w+\}/g, '-')}?${queryOf(values, [...needed, name])}`);
    } else if (name === 'cursor') {
      const { nextCursor } = await getJson<{ nextCursor: string | null }>(url, `${start}limit=1`);
      if (nextCursor !== null) requests.push(`${start}cursor=${nextCursor}`);
    } else {
      const targetOf = (chosen: Values): string => start + queryOf(chosen, [name]);
      requests.push(targetOf(await choose([name], targetOf)));
    }
  }
  return requests.map((request) => request.replace(/[?&]$/, ''));
};

const PROOF = '/api/accounts/{address}/proof';

/** Whether the index has the certificate of its head, without making an answer. */
const hasCertificate = async (url: string, head: string): Promise<boolean> => {
  const { text } = await getText(url, `/api/accounts/nobody/proof?height=${head}`);
  return !text.includes('There is no certificate');
};

/** Each value for the parameters of a path, of which some mean another thing than elsewhere. */
const knownOf = (path: string, values: Values): Values => {
  if (path === '/api/transactions/{id}') return { ...values, id: values['transaction']! };
  return path === PROOF ? { ...values, height: values['head']! } : values;
};

/**
 * Requests for each documented answer, with values of the index behind `url`, then requests to Core's version 1. A
 * parameter without a value here gets one that fits its schema and is answered; throws if none is.
 */
export const everyRequest = async (url: string): Promise<string[]> => {
  const values = await valuesOf(url);
  const requests: string[] = [];
  const { paths } = await getJson<OpenApi>(url, '/docs/json');
  for (const [path, { get }] of Object.entries(paths)) {
    if (path === '/events' || (path === PROOF && !(await hasCertificate(url, values['head']!)))) continue;
    requests.push(...(await requestsFor(url, path, get.parameters, knownOf(path, values))));
  }
  return [...requests, ...coreV1Requests(values)];
};
