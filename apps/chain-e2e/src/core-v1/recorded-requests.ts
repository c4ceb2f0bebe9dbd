import { readRecording } from '@roundhouse/testing';

/** Rows of a list that are equal in what it is sorted by, from one position to the next. */
export type TieGroup = readonly [from: number, to: number, members?: '*' | readonly string[]];

/** A request to the node, and its answer. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: string;
  readonly ties?: { readonly list: string; readonly id: string; readonly groups: readonly TieGroup[] };
}

/** What follows `/api/` or `/api/v1/`; empty if the path is another one. */
export const routeOf = ({ path }: Pick<RecordedRequest, 'path'>): string =>
  /^\/api\/(?:v1\/)?([^?]*)/i.exec(path)?.[1] ?? '';

/** All that the node answered and refused. */
export const recordedRequests: readonly RecordedRequest[] = [
  'node-v1-answers.ndjson.gz',
  'node-v1-errors.ndjson.gz',
].flatMap((file) => readRecording<RecordedRequest & Record<string, unknown>>('core-2.4-full', file));
