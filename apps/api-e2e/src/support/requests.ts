import { untilServed } from '@roundhouse/testing';

/** What an api says that could not read its database in time, as after a stall of the machine. */
const NOT_NOW = /cannot (?:be read|answer) just now/;

/** Gets the text of an answer unchanged, of whatever status. */
export const getTextOnce = async (base: string, path: string, init?: RequestInit) => {
  const response = await fetch(`${base}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** The same; asks again while the api cannot read its database. */
const ask: typeof getTextOnce = (base, path, init) =>
  untilServed(
    () => getTextOnce(base, path, init),
    ({ status, text }) => status === 503 && NOT_NOW.test(text),
  );

/** Gets the text of an answer unchanged. Asks again while the api cannot read its database. */
export const getText = (base: string, path: string, headers: Record<string, string> = {}) =>
  ask(base, path, { headers });

export interface ErrorBody {
  readonly success: boolean;
  readonly error: string;
}

/** Gets the answer to a request that fails. Asks again while the api cannot read its database. */
export const getError = async (base: string, path: string, init?: RequestInit) => {
  const { status, headers, text } = await ask(base, path, init);
  return { status, headers, body: JSON.parse(text) as ErrorBody };
};
