import { expect } from '@jest/globals';
import { routeOf, type RecordedRequest } from './recorded-requests.js';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

type Json = Record<string, unknown>;

/** JSON, or text that is none. */
const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
};

const keyOf = (row: Json): string =>
  JSON.stringify(row['id'] ?? row['address'] ?? row['lockId'] ?? row['publicKey']);

/** All rows that the node sent in its lists, by id, raw and transformed ones apart: a tie may bring any of them to a page. */
export const rowsById = (requests: readonly RecordedRequest[]): ReadonlyMap<string, Json> => {
  const rows = new Map<string, Json>();
  for (const request of requests) {
    const { body, ties } = request;
    if (!ties) continue;
    for (const row of (JSON.parse(body) as { data: Json[] }).data)
      rows.set(nameOf(routeOf(request), row), row);
  }
  return rows;
};

const nameOf = (route: string, row: Json): string =>
  `${route} ${keyOf(row)} ${Object.keys(row).sort().join()}`;

const valueAt = (row: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Json | undefined)?.[name], row);

/** The rows of each tie are the node's in another order, or, if a page cuts the tie, rows that are equal in the order. */
const expectSameButTies = (
  ours: readonly Json[],
  node: readonly Json[],
  request: RecordedRequest,
  known: ReadonlyMap<string, Json>,
): void => {
  const { by, groups } = request.ties!;
  expect(ours).toHaveLength(node.length);
  const settled = (rows: readonly Json[]): Json[] =>
    rows.filter((_, place) => !groups.some(([from, to]) => place >= from && place <= to));
  expect(settled(ours)).toEqual(settled(node));
  expect(new Set(ours.map(keyOf)).size).toBe(ours.length);
  const sorted = (rows: readonly Json[]): Json[] => [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const [from, to, cut] of groups) {
    const [tied, recorded] = [ours.slice(from, to + 1), node.slice(from, to + 1)];
    if (!cut) expect(sorted(tied)).toEqual(sorted(recorded));
    const paths = by
      .map((sort) => sort.split(':')[0]!)
      .filter((path) => path !== 'address' && path !== 'senderId');
    for (const row of tied) {
      for (const path of paths) expect(valueAt(row, path)).toEqual(valueAt(recorded[0]!, path));
      const same = cut && known.get(nameOf(routeOf(request), row));
      if (same) expect(row).toEqual(same);
    }
  }
};

/** An estimate is the planner's of the node's machine, and `meta` derives more from it. */
const withoutEstimate = (meta: Json | undefined): unknown => {
  if (meta?.['totalCountIsEstimate'] !== true) return meta;
  const { totalCount, pageCount, next, previous, last, ...rest } = meta;
  for (const count of [totalCount, pageCount]) expect(typeof count).toBe('number');
  void [next, previous, last];
  return rest;
};

/** Headers that programs read. */
const expectHeaders = (
  { headers }: Reply,
  { headers: node, method, requestHeaders }: RecordedRequest,
): void => {
  for (const name of ['x-block-height', 'content-type'])
    if (node[name] !== undefined) expect({ [name]: headers[name] }).toEqual({ [name]: node[name] });
  // The length of a list with estimated counts is another one.
  const rangeIn = (range: unknown): string | undefined => (range as string | undefined)?.replace(/\/.*/, '');
  expect(rangeIn(headers['content-range'])).toEqual(rangeIn(node['content-range']));
  if (requestHeaders['origin'] === undefined) return;
  expect(['*', requestHeaders['origin']]).toContain(headers['access-control-allow-origin']);
  if (method !== 'OPTIONS') return;
  for (const name of ['access-control-allow-methods', 'access-control-allow-headers'])
    for (const word of (node[name] ?? '').split(','))
      expect(String(headers[name]).toLowerCase()).toContain(word.toLowerCase());
};

/** Compares status, parsed body and headers with the node's, except for what its recording calls arbitrary or volatile. */
export const expectSameAsNode = (
  reply: Reply,
  request: RecordedRequest,
  known: ReadonlyMap<string, Json>,
): void => {
  const node = parsed(request.body) as Json;
  const ours = parsed(reply.body) as Json;
  expectHeaders(reply, request);
  if (reply.status !== request.status || !request.ties || !Array.isArray(ours['data'])) {
    const meta = (body: Json) =>
      body['meta'] ? { ...body, meta: withoutEstimate(body['meta'] as Json) } : body;
    return expect({ status: reply.status, body: meta(ours) }).toEqual({
      status: request.status,
      body: meta(node),
    });
  }
  expect(withoutEstimate(ours['meta'] as Json)).toEqual(withoutEstimate(node['meta'] as Json));
  expectSameButTies(ours['data'] as Json[], node['data'] as Json[], request, known);
};
