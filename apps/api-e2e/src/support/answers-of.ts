import { getText } from './requests.js';

interface SeenAnswer {
  readonly path: string;
  readonly status: number;
  readonly head: string | null;
  readonly tag: string | null;
  readonly text: string;
}

/** What clients see of each answer, in the order of the requests, all of which are sent at once. */
export const answersOf = (url: string, requests: readonly string[]): Promise<SeenAnswer[]> =>
  Promise.all(
    requests.map(async (path) => {
      const { status, headers, text } = await getText(url, path);
      return { path, status, head: headers.get('x-chain-height'), tag: headers.get('etag'), text };
    }),
  );

/** The answers that are no good ones. `delegates/get` needs one of its optional parameters. */
export const listFailed = (answers: readonly SeenAnswer[]): SeenAnswer[] =>
  answers.filter(({ path, status }) => status !== (path === '/api/delegates/get' ? 400 : 200));
