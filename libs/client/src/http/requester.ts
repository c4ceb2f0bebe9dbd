import type { ClientOptions } from '../client-options.js';
import { ApiError, NetworkError, RateLimitError, TimeoutError, UnexpectedAnswerError } from '../errors.js';
import { parseAnswer } from './parse-answer.js';
import { retryAfterMs } from './retry-after.js';
import { retrying } from './retrying.js';
import { untilAborted } from './until-aborted.js';

export type Query = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

const DEFAULTS = { timeoutMs: 10_000, retries: 3, backoffMs: 250, longestWaitMs: 30_000 };

const sentenceOf = (text: string): string | null => {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    // In errors of Core's version 2, `error` is only the name of the status.
    const sentence = message ?? error;
    return typeof sentence === 'string' ? sentence : null;
  } catch {
    return null;
  }
};

/** The segment of a path that says: the value is in the query. */
const IN_QUERY = '-';

/** Whether URLs take a segment for a folder: `/api/accounts/../transactions` is `/api/transactions`. */
const isFolder = (segment: string): boolean => segment === '.' || segment === '..';

const OF_CORE = '/api/v2/';

/** All answers contain `success`, except that of `getFees`, which is empty; those of Core's version 2 have `data`. */
const isAnswer = (answer: unknown, isOfCore: boolean): boolean => {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  if (isOfCore) return 'data' in answer;
  return (answer as { success?: unknown }).success === true || Object.keys(answer).length === 0;
};

/** Sends GET requests to one API. */
export class Requester {
  private readonly base: string;
  private readonly options;
  private readonly fetch: typeof fetch;

  constructor(url: string, { fetch: ownFetch, headers = {}, ...options }: ClientOptions) {
    const { protocol, origin, pathname, username, password, search, hash } = new URL(url);
    if (!/^https?:$/.test(protocol))
      throw new TypeError(`"${url}" is not a URL that begins with http:// or https://.`);
    // `fetch` refuses the first; the others would vanish.
    if (username !== '' || password !== '')
      throw new TypeError('The URL has a user or a password: pass them as the header "authorization".');
    if (search !== '' || hash !== '')
      throw new TypeError(`"${url}" has a query or a fragment: name the API without it.`);
    this.base = `${origin}${pathname.replace(/\/+$/, '')}`;
    this.options = { ...DEFAULTS, ...options, headers };
    // Browsers refuse `fetch` if it is called as a method of another object.
    this.fetch = ownFetch ?? ((input, init) => fetch(input, init));
  }

  /**
   * Values of `{name}` in the path become part of it; all others become the query, and so do the usernames `.` and `..`.
   * Throws `TypeError` if a part of the path is empty.
   */
  urlOf(path: string, query: Query = {}): string {
    const parameters = new URLSearchParams();
    let filled = path;
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      const [place, text] = [`{${name}}`, String(value)];
      const isInPath = path.includes(place);
      if (isInPath && text === '')
        throw new TypeError(`"${name}" is empty, which would ask for another path.`);
      const isInQuery = !isInPath || isFolder(text);
      if (isInQuery) parameters.set(name, text);
      if (isInPath) filled = filled.replace(place, () => (isInQuery ? IN_QUERY : encodeURIComponent(text)));
    }
    const text = parameters.toString();
    return `${this.base}${filled}${text === '' ? '' : `?${text}`}`;
  }

  /** Returns the parsed answer. Throws a `RoundhouseError`, or the reason of `signal`. */
  async getJson(path: string, query: Query, signal?: AbortSignal): Promise<unknown> {
    const url = this.urlOf(path, query);
    const text = await this.getText(path, query, 'application/json', signal);
    const isOfCore = path.startsWith(OF_CORE);
    let answer: unknown;
    try {
      answer = parseAnswer(text, isOfCore);
    } catch (error) {
      throw new UnexpectedAnswerError(url, 'text that is not JSON', error);
    }
    if (!isAnswer(answer, isOfCore)) throw new UnexpectedAnswerError(url, 'JSON of another form');
    return answer;
  }

  /** Returns the text of the answer; `accept` is its type. Throws like `getJson`. */
  getText(path: string, query: Query, accept: string, signal?: AbortSignal): Promise<string> {
    const url = this.urlOf(path, query);
    return untilAborted(signal, (own) => retrying(() => this.tryText(url, accept, own), this.options, own));
  }

  /**
   * Returns the response as soon as its headers have arrived; its body continues until `signal` is aborted. Throws
   * like `getJson`.
   */
  async open(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const response = await this.send(url, headers, signal);
    if (!response.ok) throw this.refusal(url, response, await response.text());
    return response;
  }

  private async tryText(url: string, accept: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { timeoutMs } = this.options;
    const inTime = AbortSignal.timeout(timeoutMs);
    const either = AbortSignal.any([signal, inTime]);
    try {
      const response = await this.send(url, { accept }, either);
      const text = await response.text();
      if (!response.ok) throw this.refusal(url, response, text);
      return text;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      signal.throwIfAborted();
      if (inTime.aborted) throw new TimeoutError(url, timeoutMs);
      throw error instanceof NetworkError ? error : new NetworkError(url, error);
    }
  }

  private async send(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    try {
      return await this.fetch(url, {
        headers: { 'api-version': '1', ...headers, ...this.options.headers },
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new NetworkError(url, error);
    }
  }

  private refusal(url: string, { status, headers }: Response, text: string): ApiError {
    const message = sentenceOf(text) ?? `${url} answered with status ${status}.`;
    const Refusal = status === 429 ? RateLimitError : ApiError;
    return new Refusal(
      message,
      status,
      headers.get('x-request-id'),
      retryAfterMs(headers.get('retry-after'), Date.now()),
    );
  }
}
