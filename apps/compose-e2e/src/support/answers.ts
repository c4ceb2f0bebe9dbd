import type { BadCase, ContractSubject, GoodCase } from '@roundhouse/testing';
import type { ComposeStack } from './compose-stack.js';

export const answerOf = async (url: string, path: string): Promise<{ status: number; body: string }> => {
  const response = await fetch(url + path);
  return { status: response.status, body: await response.text() };
};

/** A delegate and a block of the served chain. */
export const findSubject = async (url: string): Promise<ContractSubject> => {
  const { delegates } = JSON.parse((await answerOf(url, '/api/delegates?limit=1')).body) as {
    delegates: [{ publicKey: string; username: string }];
  };
  const { id, height } = JSON.parse((await answerOf(url, '/api/blocks/getHeight')).body) as {
    id: string;
    height: number;
  };
  const [{ publicKey, username }] = delegates;
  return { publicKey, username, blockId: id, height };
};

interface Asked {
  readonly request: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Headers that depend on the connection or change from answer to answer. */
const NOT_COMPARED = /^(date|connection|keep-alive|server|x-request-id|transfer-encoding):/i;

/** The case of a name means nothing, and nginx changes some. */
const withPlainName = (header: string): string => header.replace(/^[^:]+/, (name) => name.toLowerCase());

/** Sends requests from inside nginx's container, where both nginx and the apis can be reached. */
const askAll = async (
  stack: ComposeStack,
  origin: string,
  requests: readonly (readonly string[])[],
): Promise<Asked[]> => {
  const answers: Asked[] = [];
  for (const [path = '', ...flags] of requests) {
    const text = await stack.exec('nginx', 'curl', '-s', '-i', '--max-time', '10', ...flags, origin + path);
    const [head = '', ...body] = text.split(/\r?\n\r?\n/);
    const [statusLine = '', ...headers] = head.split(/\r?\n/);
    answers.push({
      request: [path, ...flags].join(' '),
      status: Number(statusLine.split(' ')[1]),
      headers: headers
        .filter((header) => !NOT_COMPARED.test(header))
        .map(withPlainName)
        .sort(),
      body: body.join('\n\n'),
    });
  }
  return answers;
};

/** Sends the same requests to an api and to nginx. The chain must stand still meanwhile. */
export const listAnswers = async (
  stack: ComposeStack,
  good: readonly GoodCase[],
  bad: readonly BadCase[],
): Promise<{ direct: Asked[]; through: Asked[] }> => {
  const height = '/api/blocks/getHeight';
  const requests = [
    ...good.map(([path]) => [path]),
    ...bad.filter((_, index) => index % 5 === 0).map(([path]) => [path]),
    [height, '-I'],
    [height, '-X', 'OPTIONS'],
    [height, '-X', 'DELETE'],
    [height, '-X', 'POST', '-d', '{}'],
    [height, '-H', 'API-Version: 7'],
    [height, '-H', 'Accept-Encoding: gzip'],
    [`/api/blocks?limit=1&pad=${'x'.repeat(9000)}`],
    ['//api//blocks'],
    ['/api/../api/blocks', '--path-as-is'],
    ['/api/delegates/search?q=%C3%A4'],
  ];
  // Heights come from only one api, because the others may be a moment behind.
  await stack.up(1);
  await stack.untilHealthy('api', 1);
  const direct = await askAll(stack, 'http://api:4003', requests);
  const through = await askAll(stack, 'http://127.0.0.1:8080', requests);
  return { direct, through };
};
