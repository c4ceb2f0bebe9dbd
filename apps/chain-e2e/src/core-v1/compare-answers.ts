import { expect } from '@jest/globals';
import type { RecordedRequest, TieGroup } from './recorded-requests.js';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

type Json = Record<string, unknown>;

type Row = Json & { readonly [id: string]: unknown };

/** JSON, or text that is none: the body of a redirect is empty. */
const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
};

/** All rows that the node sent in lists of one route, by id: a tie may bring other rows of these to a page. */
export const rowsById = (requests: readonly RecordedRequest[]): ReadonlyMap<string, Json> => {
  const rows = new Map<string, Json>();
  for (const { ties, body } of requests) {
    if (!ties) continue;
    for (const row of (JSON.parse(body) as Record<string, Row[]>)[ties.list]!)
      rows.set(String(row[ties.id]), row);
  }
  return rows;
};

const isTied = (group: TieGroup, place: number): boolean => place >= group[0] && place < group[1];

/** The rows of each tie have the same ids in another order; the other rows are equal. */
const expectSameButTies = (
  ours: readonly Row[],
  node: readonly Row[],
  { id, groups }: NonNullable<RecordedRequest['ties']>,
  known: ReadonlyMap<string, Json>,
): void => {
  const idsOf = (rows: readonly Row[]): string[] => rows.map((row) => String(row[id]));
  const settled = (rows: readonly Row[]): Row[] =>
    rows.filter((_, place) => !groups.some((group) => isTied(group, place)));
  expect(ours).toHaveLength(node.length);
  expect(settled(ours)).toEqual(settled(node));
  expect(new Set(idsOf(ours)).size).toBe(ours.length);
  for (const [from, to, members = idsOf(node.slice(from, to))] of groups) {
    const tied = ours.slice(from, to);
    if (members !== '*') for (const tiedId of idsOf(tied)) expect(members).toContain(tiedId);
    for (const row of tied) {
      const recorded = known.get(String(row[id]));
      if (recorded) expect(row).toEqual(recorded);
    }
  }
};

/** A full page has an estimate, which is volatile. */
const withoutEstimate = (body: Json, list: unknown, request: RecordedRequest): Json => {
  const limit = Number(new URLSearchParams(request.path.split('?')[1]).get('limit') ?? 100) || 100;
  if (!('count' in body) || !Array.isArray(list) || list.length < limit) return body;
  expect(typeof body['count']).toBe('number');
  const { count: _, ...rest } = body;
  return rest;
};

/** Compares status and parsed body with the node's, except for what the recording calls arbitrary or volatile. */
export const expectSameAsNode = (
  reply: Reply,
  request: RecordedRequest,
  known: ReadonlyMap<string, Json>,
): void => {
  const node = parsed(request.body);
  const ours = parsed(reply.body);
  if (reply.status !== request.status || typeof node !== 'object' || typeof ours !== 'object') {
    expect({ status: reply.status, body: ours }).toEqual({ status: request.status, body: node });
    return;
  }
  const { ties } = request;
  const list = Object.values(node as Json).find((value) => Array.isArray(value));
  const nodeRest = withoutEstimate(node as Json, list, request);
  const ourRest = withoutEstimate(ours as Json, list, request);
  if (!ties) return expect(ourRest).toEqual(nodeRest);
  const rowsOf = (body: unknown): Row[] => (body as Record<string, Row[]>)[ties.list] ?? [];
  expectSameButTies(rowsOf(ours), rowsOf(node), ties, known);
  expect({ ...ourRest, [ties.list]: null }).toEqual({ ...nodeRest, [ties.list]: null });
};
