import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { parseLosslessJson } from '@roundhouse/chain';
import { traced } from '@roundhouse/telemetry';
import { DelegateBackoff, handleType, retry, type IPolicy } from 'cockatiel';
import { NodeUnavailableError } from '../errors/node-errors.js';
import type { NodeRequest } from './core-line.js';
import { GRANTS_NO_MORE, NodeFailures } from './node-failures.js';
import type { NodeAnswer, NodeHttpOptions, RawAnswer } from './node-http-options.js';
import { USUAL_BOUND, type PageBound } from './page-bound.js';
import { clockOf, rateLimitWaitMs, RequestBudget, type Urgency } from './request-budget.js';

const LONGEST_BACKOFF_MS = 10_000;

/**
 * Requests about the newest blocks wait at most this long. A request that would wait longer fails, so that the wait is
 * seen and another source is used.
 */
const LONGEST_SILENT_WAIT_MS = 2_000;

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
  private readonly failures: NodeFailures;
  private pausedUntil = 0;
  private bound = USUAL_BOUND;

  constructor(
    private readonly base: URL,
    private readonly options: NodeHttpOptions,
  ) {
    this.setting = options.setting ?? 'BLOCK_SOURCE';
    this.name = `${base.protocol}//${base.host}${base.pathname.replace(/\/$/, '')}`;
    this.failures = new NodeFailures(this.name, this.setting, options.onUnavailable);
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
    const answer = await this.inTurn(request, headers, urgency).catch((error: Error) => {
      throw this.failures.unreachable(error, this.closing.signal.aborted, this.options.timeoutMs);
    });
    const { status, text } = answer;
    if (status === 429) throw this.rateLimited(answer.headers);
    if (status !== 200 || answer.headers['content-encoding'] !== undefined)
      this.failures.assertUsable(request, answer);
    try {
      return { status, body: parseLosslessJson(text) };
    } catch (cause) {
      if (status !== 200) return { status, body: null };
      throw this.failures.noJson(request, text, cause);
    }
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
      if (urgency === 'now' && waitMs > LONGEST_SILENT_WAIT_MS) throw this.failures.paused(waitMs);
      await wait(waitMs, undefined, { signal });
    }
    signal.throwIfAborted();
    this.budget.begin();
    const method = request.payload === undefined ? 'GET' : 'POST';
    const attributes = { 'http.request.method': method, 'url.full': this.name + request.path };
    const asking = traced({ name: method, kind: 'client', attributes }, async (span) => {
      const answer = await this.request(method, request, headers);
      span.set({ 'http.response.status_code': answer.status });
      return answer;
    });
    const answer = await asking.finally(() => this.budget.end());
    this.options.onAnswer?.(answer.headers);
    this.budget.told(answer.headers, performance.now(), clockOf(answer.headers));
    return answer;
  }

  private request(
    method: 'GET' | 'POST',
    { path, payload }: NodeRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<RawAnswer> {
    const { base, agent, options } = this;
    const { request } = base.protocol === 'https:' ? https : http;
    const { username, password } = base;
    const body = payload && JSON.stringify(payload);
    const ofBody = body && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(base.pathname.replace(/\/$/, '') + path, base.origin),
        {
          agent,
          method,
          headers: { accept: 'application/json', ...headers, ...ofBody },
          signal: AbortSignal.timeout(options.timeoutMs),
          ...(username && { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          incoming.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes <= this.bound.bytes) chunks.push(chunk);
            else incoming.destroy(this.failures.tooLong(path, this.bound));
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

  private rateLimited(headers: http.IncomingHttpHeaders): NodeUnavailableError {
    const retryAfterMs = rateLimitWaitMs(headers, clockOf(headers));
    if (retryAfterMs !== undefined) {
      this.budget.refused(retryAfterMs, performance.now());
      this.notePause(retryAfterMs);
    }
    return this.failures.unavailable('rate-limited', 'asks for fewer requests (status 429)', {
      retryAfterMs,
    });
  }

  private notePause(durationMs: number): void {
    const until = performance.now() + durationMs;
    if (durationMs <= LONGEST_SILENT_WAIT_MS || until <= this.pausedUntil + LONGEST_SILENT_WAIT_MS) return;
    this.pausedUntil = until;
    this.options.onPause?.({ source: this.name, reason: GRANTS_NO_MORE, durationMs });
  }
}
