import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { traced } from '@roundhouse/telemetry';
import { DelegateBackoff, handleType, retry, type IPolicy } from 'cockatiel';
import {
  AnswerTooLongError,
  NodeProtocolError,
  NodeUnavailableError,
  type UnavailableKind,
} from '../errors/node-errors.js';
import type { NodeRequest } from './core-line.js';
import {
  readAnswer,
  SHOWN_CHARACTERS,
  USUAL_BOUND,
  type NodeAnswer,
  type PageBound,
  type RawAnswer,
} from './read-answer.js';
import { describeUnreachable } from './unreachable.js';
import { rateLimitWaitMs, RequestBudget, type Urgency } from './request-budget.js';

export interface NodeHttpOptions {
  /** The setting or option that names the node; errors refer to it. (Default: BLOCK_SOURCE) */
  readonly setting?: string;
  /** For one request, from its start to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The number of tries per request in all. */
  readonly attempts: number;
  /** The wait before the second try; it doubles with each further one. */
  readonly backoffMs: number;
  /** Whether all requests give way to those of an indexer that uses the same node. (Default: false) */
  readonly isPatient?: boolean;
  /** Called for each failure that may be retried. */
  readonly onUnavailable?: (error: NodeUnavailableError) => void;
  /** Called with the headers of each answer, also of a refusal. */
  readonly onAnswer?: (headers: http.IncomingHttpHeaders) => void;
  /** Called once for each period in which the node grants no requests, if that is longer than 2 s. */
  readonly onPause?: (pause: SourcePause) => void;
}

/** A period in which a source is not used, because it grants no more requests. */
export interface SourcePause {
  readonly source: string;
  readonly reason: string;
  readonly durationMs: number;
}

const LONGEST_BACKOFF_MS = 10_000;

/**
 * Requests about the newest blocks wait at most this long. A request that would wait longer fails, so that the wait is
 * seen and another source is used.
 */
const LONGEST_SILENT_WAIT_MS = 2_000;

const KINDS: Readonly<Record<string, UnavailableKind>> = { ECONNREFUSED: 'refused', ABORT_ERR: 'timeout' };

const methodOf = ({ payload }: NodeRequest): 'GET' | 'POST' => (payload === undefined ? 'GET' : 'POST');

const GRANTS_NO_MORE =
  'grants this address no more requests for now; requests of other programs at this address count as well';

/** The time by the node's clock, which need not agree with ours; ms since 1970. */
const clockOf = ({ date }: http.IncomingHttpHeaders): number => {
  const told = Date.parse(date ?? '');
  return Number.isNaN(told) ? Date.now() : told;
};

/** The wait doubles with each attempt. Half of it is random, so that many callers do not return at once. */
const backoffOf = (firstMs: number, attempt: number): number => {
  const full = Math.min(firstMs * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  return full / 2 + (Math.random() * full) / 2;
};

/**
 * Makes requests to a node that change nothing there, with time limits and retries with backoff. All callers honour the
 * node's rate limits.
 */
export class NodeHttp {
  readonly name: string;
  readonly setting: string;
  private readonly agent: http.Agent;
  private readonly policy: IPolicy;
  private readonly closing = new AbortController();
  private readonly budget = new RequestBudget();
  private pausedUntil = 0;
  private bound = USUAL_BOUND;

  constructor(
    private readonly base: URL,
    private readonly options: NodeHttpOptions,
  ) {
    this.setting = options.setting ?? 'BLOCK_SOURCE';
    this.name = `${base.protocol}//${base.host}${base.pathname.replace(/\/$/, '')}`;
    const { Agent } = base.protocol === 'https:' ? https : http;
    // Core 3.x destroys each connection after its answer although it announces keep-alive. Use one connection per
    // request.
    this.agent = new Agent({ keepAlive: false });
    this.policy = retry(handleType(NodeUnavailableError), {
      maxAttempts: options.attempts - 1,
      backoff: new DelegateBackoff(({ attempt, result }) => {
        const { retryAfterMs } = (result as { readonly error: NodeUnavailableError }).error;
        // The budget handles the wait for the node's own limit.
        return retryAfterMs === undefined ? backoffOf(options.backoffMs, attempt) : 0;
      }),
    });
  }

  /**
   * Returns the node's answer if its status is 200 or 404, or the refusal of a trial. Throws `NodeUnavailableError` and `NodeProtocolError`.
   * If the node grants no more requests, `bulk` waits until it does; `now` fails at once if that takes longer than
   * 2 s.
   */
  ask(
    request: NodeRequest,
    headers: Readonly<Record<string, string>>,
    urgency: Urgency = 'now',
  ): Promise<NodeAnswer> {
    const { signal } = this.closing;
    const ownUrgency = this.options.isPatient ? 'bulk' : urgency;
    return this.policy.execute(() => this.tryOnce(request, headers, ownUrgency), signal);
  }

  /** Lets answers be as long as this, if that is longer than before. */
  allow(bound: PageBound): void {
    if (bound.bytes > this.bound.bytes) this.bound = bound;
  }

  /** Aborts the requests under way, which fail as unavailable. */
  close(): void {
    this.closing.abort();
    this.agent.destroy();
  }

  private async tryOnce(
    request: NodeRequest,
    headers: Readonly<Record<string, string>>,
    urgency: Urgency,
  ): Promise<NodeAnswer> {
    const { path } = request;
    const response = await this.inTurn(request, headers, urgency).catch((error: unknown) => {
      if (error instanceof NodeProtocolError || error instanceof NodeUnavailableError) throw error;
      throw this.unreachable(error as NodeJS.ErrnoException);
    });
    const { status } = response;
    if (status === 429) throw this.rateLimited(response.headers);
    if (status >= 500) throw this.unavailable('http-5xx', `answered ${path} with status ${status}`);
    return readAnswer(this, request, response);
  }

  private async inTurn(
    request: NodeRequest,
    headers: Readonly<Record<string, string>>,
    urgency: Urgency,
  ): Promise<RawAnswer> {
    const { signal } = this.closing;
    // While one caller waits, an answer to another may extend the wait.
    for (let waitMs; (waitMs = this.budget.waitMs(urgency, performance.now())) > 0;) {
      this.notePause(waitMs);
      if (urgency === 'now' && waitMs > LONGEST_SILENT_WAIT_MS) throw this.paused(waitMs);
      await wait(waitMs, undefined, { signal });
    }
    signal.throwIfAborted();
    this.budget.begin();
    const answer = await this.traced(request, headers).finally(() => this.budget.end());
    this.options.onAnswer?.(answer.headers);
    this.budget.told(answer.headers, performance.now(), clockOf(answer.headers));
    return answer;
  }

  private traced(request: NodeRequest, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
    const method = methodOf(request);
    const attributes = { 'http.request.method': method, 'url.full': this.name + request.path };
    return traced({ name: method, kind: 'client', attributes }, async (span) => {
      const answer = await this.request(request, headers);
      span.set({ 'http.response.status_code': answer.status });
      return answer;
    });
  }

  private request(asked: NodeRequest, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
    const { path, payload } = asked;
    const { base, agent, options } = this;
    const { request } = base.protocol === 'https:' ? https : http;
    const { username, password } = base;
    const body = payload && JSON.stringify(payload);
    const ofBody = body
      ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      : {};
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(base.pathname.replace(/\/$/, '') + path, base.origin),
        {
          agent,
          method: methodOf(asked),
          headers: { accept: 'application/json', ...headers, ...ofBody },
          signal: AbortSignal.timeout(options.timeoutMs),
          ...(username === ''
            ? {}
            : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          incoming.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes <= this.bound.bytes) chunks.push(chunk);
            else incoming.destroy(this.tooLong(path));
          });
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  private tooLong(path: string): AnswerTooLongError {
    const { bytes, reason } = this.bound;
    return new AnswerTooLongError(
      this.name,
      `${this.name} answered ${path.slice(0, SHOWN_CHARACTERS)} with more than ${Math.floor(bytes / 1024 / 1024)} MiB. That is more than a page can have: ${reason}. ` +
        `Check the proxies between here and the node, or name another node in ${this.setting}.`,
    );
  }

  private unreachable(error: NodeJS.ErrnoException): NodeUnavailableError {
    if (this.closing.signal.aborted) {
      return this.unavailable('unreachable', 'gets no more requests, because this source was closed', {
        cause: error,
      });
    }
    const { code = '', message } = error;
    const kind = KINDS[code] ?? 'unreachable';
    if (kind === 'timeout') {
      const { timeoutMs } = this.options;
      return this.unavailable(kind, `did not answer within ${timeoutMs} ms (${message})`, { cause: error });
    }
    const { problem, advice } = describeUnreachable(error, this.setting);
    return this.unavailable(kind, problem, { cause: error, advice });
  }

  private rateLimited(headers: http.IncomingHttpHeaders): NodeUnavailableError {
    const retryAfterMs = rateLimitWaitMs(headers, clockOf(headers));
    if (retryAfterMs !== undefined) {
      this.budget.refused(retryAfterMs, performance.now());
      this.notePause(retryAfterMs);
    }
    return this.unavailable('rate-limited', 'asks for fewer requests (status 429)', { retryAfterMs });
  }

  /** No request was made, so it is not reported as a failure of the node. */
  private paused(retryAfterMs: number): NodeUnavailableError {
    return new NodeUnavailableError(this.name, 'rate-limited', `${this.name} ${GRANTS_NO_MORE}.`, {
      retryAfterMs,
    });
  }

  private notePause(durationMs: number): void {
    const until = performance.now() + durationMs;
    if (durationMs <= LONGEST_SILENT_WAIT_MS || until <= this.pausedUntil + LONGEST_SILENT_WAIT_MS) return;
    this.pausedUntil = until;
    this.options.onPause?.({ source: this.name, reason: GRANTS_NO_MORE, durationMs });
  }

  private unavailable(
    kind: UnavailableKind,
    problem: string,
    options: ErrorOptions & {
      readonly retryAfterMs?: number | undefined;
      readonly advice?: string | null;
    } = {},
  ): NodeUnavailableError {
    const { retryAfterMs, advice, ...rest } = options;
    const error = new NodeUnavailableError(
      this.name,
      kind,
      `${this.name} ${problem}. ${advice ?? `Check that the node runs and that ${this.setting} names it.`}`,
      retryAfterMs === undefined ? rest : { ...rest, retryAfterMs },
    );
    this.options.onUnavailable?.(error);
    return error;
  }
}
