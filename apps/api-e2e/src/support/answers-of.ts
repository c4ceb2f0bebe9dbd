import { getText } from './requests.js';

interface SeenAnswer {
  readonly path: string;
  readonly status: number;
  readonly head: string | null;
  readonly tag: string | null;
  readonly text: string;
}

/** As many as an api has connections to its database, so that none waits long for one. */
const AT_ONCE = 10;

/** What clients see of each answer, in the order of the requests. */
export const answersOf = async (
  url: string,
  requests: readonly string[],
  atOnce = AT_ONCE,
): Promise<SeenAnswer[]> => {
  const answers: SeenAnswer[] = [];
  for (let sent = 0; sent < requests.length; sent += atOnce) {
    const some = requests.slice(sent, sent + atOnce).map(async (path) => {
      const { status, headers, text } = await getText(url, path);
      return { path, status, head: headers.get('x-chain-height'), tag: headers.get('etag'), text };
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
};

/** The answers that are no good ones. `delegates/get` needs one of its optional parameters. */
export const listFailed = (answers: readonly SeenAnswer[]): SeenAnswer[] =>
  answers.filter(({ path, status }) => status !== (path === '/api/delegates/get' ? 400 : 200));
