import { refusalBody } from '@roundhouse/core-node';
import type { Intercept } from './core-api-stand-in.js';

/** Gives these `data` by the path of a request, without its query. Everything else is 404. */
export const fixedAnswers =
  (data: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}): Intercept =>
  ({ path }) => {
    const found = data[path.replace(/\?.*/, '')];
    if (found === undefined) return { status: 404, headers, body: refusalBody(404) };
    return { headers, body: JSON.stringify({ data: found }) };
  };

/** The path with its parameters in a fixed order: clients differ in it, and in their encoding. */
const addressOf = (path: string): string => {
  const { pathname, searchParams } = new URL(path, 'http://node.invalid');
  searchParams.sort();
  return `${pathname}?${searchParams.toString()}`;
};

/** Repeats what a real node answered to GET requests: the last answer to each. Everything else has status `otherwise`. */
export const repeatedAnswers = (
  recorded: readonly { method: string; path: string; status: number; body: string }[],
  otherwise: number,
): Intercept => {
  const answers = new Map(
    recorded
      .filter(({ method }) => method === 'GET')
      .map(({ path, status, body }) => [addressOf(path), { status, body }]),
  );
  return ({ path }) => answers.get(addressOf(path)) ?? { status: otherwise, body: refusalBody(otherwise) };
};
