import { readRecording } from '@roundhouse/testing';

/** Rows of a list that are equal in what it is sorted by, from one position to the last; `cut` if more are on other pages. */
export type TieGroup = readonly [from: number, to: number, cut?: 'cut'];

/** A request to the node, and its answer. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ties?: { readonly by: readonly string[]; readonly groups: readonly TieGroup[] };
}

/** All that a restarted node answered, with exact counts. */
export const recordedRequests: readonly RecordedRequest[] = readRecording<
  RecordedRequest & Record<string, unknown>
>('core-3.9-full', 'core-api-v3.ndjson.gz');

/** Posts of transactions, and what the node's pool held afterwards. */
export const recordedPosts: readonly RecordedRequest[] = readRecording<
  RecordedRequest & Record<string, unknown>
>('core-3.9-full', 'core-api-posts.ndjson.gz');

/** What the node answered with a rate limit, with more requests than it let wait, and with peers that were put in by hand. */
export const recordedStates: readonly (RecordedRequest & {
  readonly state: 'rate-limit' | 'queue' | 'peers';
})[] = readRecording<
  RecordedRequest & { readonly state: 'rate-limit' | 'queue' | 'peers' } & Record<string, unknown>
>('core-3.9-full', 'core-api-other-states.ndjson.gz').filter(({ status }) => status !== undefined);

const GROUPS = [
  'blocks',
  'transactions',
  'votes',
  'wallets',
  'delegates',
  'locks',
  'entities',
  'peers',
  'rounds',
];

const NAMES = ['first', 'last', 'top', 'unlocked', 'unconfirmed', 'types', 'schemas', 'fees'];

/** The route of a request, with `{id}` for what a client chooses; for all that no route answers, `elsewhere`. */
export const routeOf = ({ method, path, status, body }: RecordedRequest): string => {
  const [place = ''] = path.split(/[?#]/, 1);
  const isNowhere = status === 404 && /"Not Found"\}$|CORS error/.test(body);
  if (!/^\/api\/[a-z]/.test(place) || isNowhere || [400, 204].includes(status)) return 'elsewhere';
  if (method === 'OPTIONS' || (body === '' && status === 404)) return 'elsewhere';
  const [group = '', name, ...below] = place
    .replace(/\/$/, '')
    .replaceAll('%62', 'b')
    .slice('/api/'.length)
    .split('/');
  if (name === '..') return below.join('/');
  if (name === undefined || !GROUPS.includes(group)) return [group, name, ...below].filter(Boolean).join('/');
  const isOne = !NAMES.includes(name) || (below.length > 0 && name !== 'unconfirmed');
  const rest = name === 'unconfirmed' && below.length > 0 ? ['{id}'] : below;
  return [group, isOne ? '{id}' : name, ...rest].join('/');
};
