import dns from 'node:dns';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './addresses.js';

export interface PostOptions {
  /** From the first look-up to the answer. */
  readonly timeoutMs: number;
  /** Whether receivers may be on this machine and in private networks. */
  readonly allowsPrivate: boolean;
}

/** The receiver has not accepted the event. The message holds nothing that the receiver chose, nor the token. */
export class PostError extends Error {
  readonly code = 'WEBHOOK_NOT_ACCEPTED';

  constructor(message: string) {
    super(message);
    this.name = 'PostError';
  }
}

const refuse = (): PostError =>
  new PostError(
    'the address of the receiver is private: set CORE_WEBHOOKS_TARGETS to any if it should get events',
  );

/** Resolves names to public addresses. The connection is made to what it returns, so no second look-up can differ. */
const lookupPublic: LookupFunction = (host, options, done) => {
  dns.lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (first === undefined) return done(refuse(), []);
    if (options.all) return done(null, allowed);
    done(null, first.address, first.family);
  });
};

const urlOf = (target: string): URL => {
  const url = URL.canParse(target) ? new URL(target) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new PostError(
      'the target is no http:// or https:// address: register the webhook with another one',
    );
  // They are not sent, and some cannot be decoded.
  url.username = '';
  url.password = '';
  return url;
};

const open = (target: string, token: string, { allowsPrivate }: PostOptions, signal: AbortSignal) => {
  const url = urlOf(target);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // An address is connected to without a look-up.
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw refuse();
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  // An agent of its own: each post connects, so each one is checked. In the order of a node's headers.
  const sent = request(url, {
    method: 'POST',
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    headers: { Authorization: token },
    signal,
    ...(allowsPrivate ? {} : { lookup: lookupPublic }),
  });
  sent.setHeader('content-type', 'application/json');
  return sent;
};

/** A node posts exactly this. `data` is JSON. */
export const postedBody = (event: string, data: string | null, now: number): string =>
  `{"timestamp":${now},${data === null ? '' : `"data":${data},`}"event":${JSON.stringify(event)}}`;

const reasonOf = (error: NodeJS.ErrnoException, signal: AbortSignal, timeoutMs: number): string =>
  signal.aborted ? `no answer within ${timeoutMs} ms` : `it cannot be reached (${error.code ?? error.name})`;

/**
 * Posts one event once. Only a status of 2xx accepts it: redirects are not followed, and the body of the answer is not read.
 * Throws `PostError`.
 */
export const postEvent = async (
  target: string,
  token: string,
  body: string,
  options: PostOptions,
): Promise<void> => {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const sent = open(target, token, options, signal);
  try {
    // Node destroys a request that is answered by 101, and then tells of neither an answer nor an error.
    sent.once('upgrade', (answer, socket) => {
      socket.destroy();
      sent.emit('response', answer);
    });
    const answered = once(sent, 'response', { signal }) as Promise<[IncomingMessage]>;
    sent.setHeader('content-length', Buffer.byteLength(body));
    sent.end(body);
    const [{ statusCode = 0 }] = await answered;
    if (statusCode < 200 || statusCode > 299) throw new PostError(`it answered ${statusCode}`);
  } catch (error) {
    if (error instanceof PostError) throw error;
    throw new PostError(reasonOf(error as NodeJS.ErrnoException, signal, options.timeoutMs));
  } finally {
    sent.on('error', () => undefined);
    sent.destroy();
  }
};
