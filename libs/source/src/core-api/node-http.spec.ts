import type { ServerResponse } from 'node:http';
import type { NodeUnavailableError } from '../errors/node-errors.js';
import { TestNode, type Answer } from '../node.harness.js';
import { failureOf, refusal } from '../refusal.harness.js';
import { NodeHttp } from './node-http.js';
import type { NodeAnswer, SourcePause } from './node-http-options.js';
import type { Urgency } from './request-budget.js';
import { eventually } from '@roundhouse/testing';

const OK: Answer = { body: { data: 1 } };

describe('NodeHttp', () => {
  let node: TestNode | undefined;
  let http: NodeHttp | undefined;
  let failures: NodeUnavailableError[];
  let onFailure: (error: NodeUnavailableError) => void;
  let pauses: SourcePause[];

  const open = async (
    answers: (attempt: number, response: ServerResponse) => Answer | null,
    { timeoutMs = 5000, attempts = 3, credentials = '', scheme = 'http' } = {},
  ): Promise<NodeHttp> => {
    node = await new TestNode((_, response) => answers(node!.requests.length, response)).listen();
    http = new NodeHttp(new URL(`${scheme}://${credentials}${node.host}`), {
      timeoutMs,
      attempts,
      backoffMs: 1,
      onUnavailable: (error) => {
        failures.push(error);
        onFailure(error);
      },
      onPause: (pause) => pauses.push(pause),
    });
    return http;
  };

  const ask = (path = '/a', urgency?: Urgency): Promise<NodeAnswer> => http!.ask({ path }, {}, urgency);

  beforeEach(() => {
    failures = [];
    pauses = [];
    onFailure = () => undefined;
  });

  afterEach(async () => {
    http?.close();
    await node?.close();
  });

  it('retries after a 5xx, and reports the failure', async () => {
    await open((attempt) => (attempt < 3 ? { status: 502 } : OK));
    await expect(ask()).resolves.toEqual({ status: 200, body: { data: 1 } });
    expect(failures.map(({ kind }) => kind)).toEqual(['http-5xx', 'http-5xx']);
  });

  it.each<[string, string, Answer | null, string]>([
    ['http-5xx', 'keeps answering with 503', { status: 503 }, 'answered /a with status 503'],
    ['timeout', 'does not answer', null, 'did not answer within 40 ms'],
    ['rate-limited', 'keeps refusing', { status: 429 }, 'asks for fewer requests (status 429)'],
  ])('gives up as %s if the node %s', async (kind, _does, answer, message) => {
    const opened = await open(() => answer, { timeoutMs: answer === null ? 40 : 5000 });
    const wrong = refusal(`${opened.name} ${message}`, { name: 'NodeUnavailableError', kind });
    await expect(ask()).rejects.toMatchObject({ ...wrong, source: opened.name });
    expect(failures).toHaveLength(3);
    // On a busy machine, a request is given up before it arrives.
    if (answer !== null) expect(node!.requests).toHaveLength(3);
  });

  it('gives up as refused if nothing listens', async () => {
    await open(() => OK);
    await node!.close();
    await expect(ask()).rejects.toMatchObject({ kind: 'refused' });
    expect(failures).toHaveLength(3);
  });

  it('says in words that a node has no TLS, and what to write', async () => {
    const opened = await open(() => OK, { scheme: 'https', attempts: 1 });
    await expect(ask()).rejects.toMatchObject({
      kind: 'unreachable',
      message:
        `${opened.name} cannot be reached (no TLS is spoken there). ` +
        'Write http:// in BLOCK_SOURCE if the node has no TLS, or name the port that has it.',
    });
  });

  it('treats an answer that breaks off as unavailable, not as wrong', async () => {
    await open((attempt) => (attempt === 1 ? { body: '{"data":1}', breaksOff: true } : OK));
    await expect(ask()).resolves.toMatchObject({ status: 200 });
    expect(failures.map(({ kind }) => kind)).toEqual(['unreachable']);
  });

  it('makes all callers wait as long as a 429 asks', async () => {
    await open((attempt) => (attempt === 1 ? { status: 429, headers: { 'retry-after': '0.08' } } : OK));
    const others: Promise<unknown>[] = [];
    onFailure = () => others.push(ask('/b'), ask('/c'));
    await ask();
    await Promise.all(others);
    const [refused, ...later] = node!.requests;
    expect(later.map(({ path }) => path).sort()).toEqual(['/a', '/b', '/c']);
    for (const { at } of later) expect(at - refused!.at).toBeGreaterThanOrEqual(79);
  });

  it('reports how long the node asked to wait', async () => {
    await open(() => ({ status: 429, headers: { 'retry-after': '0.002' } }));
    await expect(ask()).rejects.toMatchObject({ kind: 'rate-limited', retryAfterMs: 2 });
  });

  it('uses its own backoff after a 429 that asks for 0 seconds', async () => {
    await open((attempt) => (attempt < 3 ? { status: 429, headers: { 'retry-after': '0' } } : OK));
    await expect(ask()).resolves.toMatchObject({ status: 200 });
    expect(failures.map(({ retryAfterMs }) => retryAfterMs)).toEqual([undefined, undefined]);
  });

  it.each<[string, Answer, string]>([
    ['a refused request', { status: 422, body: { message: '"limit" must be' } }, 'with status 422'],
    [
      'a redirection',
      { status: 301, headers: { location: 'https://other.example/' } },
      'with status 301 and leads to https://other.example/: name that server in BLOCK_SOURCE',
    ],
    [
      'a compressed answer',
      { ...OK, headers: { 'content-encoding': 'gzip' } },
      'compressed (gzip), which was not asked for',
    ],
    ['an answer that is not JSON', { body: '<html>' }, 'with invalid JSON: <html>'],
  ])('treats %s as wrong and does not retry', async (_what, answer, message) => {
    const opened = await open(() => answer);
    await expect(ask()).rejects.toMatchObject(refusal(`${opened.name} answered /a ${message}`));
    expect(node!.requests).toHaveLength(1);
  });

  it('returns a 404 to the caller, whatever its body is', async () => {
    await open(() => ({ status: 404, body: '<html>' }));
    await expect(ask()).resolves.toEqual({ status: 404, body: null });
  });

  it('cuts off an endless answer as wrong, and names path and bound', async () => {
    let hasEnded = false;
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    await open(
      (_, response) => {
        const write = (): void => {
          if (!response.destroyed) response.write(chunk, () => setImmediate(write));
        };
        response.on('close', () => (hasEnded = true));
        write();
        return null;
      },
      { timeoutMs: 60_000 },
    );
    await expect(ask()).rejects.toMatchObject(refusal('answered /a with more than 16 MiB'));
    await eventually('the connection is closed', () => hasEnded);
    expect(node!.requests).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('reads as much as was ever allowed', async () => {
    const opened = await open(() => ({ body: `"${'x'.repeat(17 * 1024 * 1024)}"` }));
    for (const bytes of [18 * 1024 * 1024, 1]) opened.allow({ bytes, reason: 'of a test' });
    await expect(ask()).resolves.toMatchObject({ status: 200 });
  });

  it('does not keep connections alive, because Core 3.x closes them anyway', async () => {
    const opened = await open(() => OK);
    await opened.ask({ path: '/a' }, { 'api-version': '2' });
    expect(node!.requests[0]!.headers).toMatchObject({ connection: 'close', 'api-version': '2' });
  });

  it('posts a payload as JSON, again after a failure', async () => {
    const opened = await open((attempt) => (attempt === 1 ? { status: 503 } : OK));
    const payload = { height: { from: 1, to: 9 }, text: 'ä' };
    await expect(opened.ask({ path: '/search', payload }, {})).resolves.toMatchObject({ status: 200 });
    expect(node!.requests).toMatchObject([{ payload }, { payload }]);
    expect(node!.requests[1]!.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('sends the credentials of the address and never shows them', async () => {
    const credentials = `operator:${encodeURIComponent('p@ss:word')}@`;
    const opened = await open(() => ({ status: 500 }), { credentials });
    const error = await failureOf(ask());
    const expected = `Basic ${Buffer.from('operator:p@ss:word').toString('base64')}`;
    expect(node!.requests[0]!.headers.authorization).toBe(expected);
    expect(opened.name).toBe(`http://${node!.host}`);
    for (const told of [error.message, error.stack, JSON.stringify(error)]) {
      expect(told).not.toMatch(/operator|p@ss|p%40ss/);
    }
  });

  it('aborts running requests when it is closed, and sends no more', async () => {
    const opened = await open(() => null);
    const asked = failureOf(ask());
    await node!.requested(1);
    opened.close();
    await expect(asked).resolves.toMatchObject({ kind: 'unreachable' });
    await expect(ask()).rejects.toThrow('this source was closed');
    expect(node!.requests).toHaveLength(1);
  });

  it('does not wait in silence for longer than 2 s: it fails at once, sends nothing more, and reports the pause once', async () => {
    const opened = await open(() => ({ status: 429, headers: { 'retry-after': '58' } }));
    for (const path of ['/a', '/b', '/c']) {
      await expect(ask(path)).rejects.toMatchObject({ kind: 'rate-limited' });
    }
    expect(node!.paths).toEqual(['/a']);
    const reason = expect.stringContaining('no more requests') as string;
    expect(pauses).toEqual([{ source: opened.name, reason, durationMs: 58_000 }]);
    expect(failures).toHaveLength(1);
  });

  it('reserves the last requests that the node grants for its newest blocks', async () => {
    const headers = {
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '40',
      'x-ratelimit-reset': new Date(Date.now() + 30_000).toUTCString(),
    };
    const opened = await open(() => ({ headers, body: {} }));
    await ask('/bulk/1', 'bulk');
    const held = failureOf(ask('/bulk/2', 'bulk'));
    await ask('/newest');
    expect(node!.paths).toEqual(['/bulk/1', '/newest']);
    expect(pauses).toHaveLength(1);
    opened.close();
    await held;
  });

  it('stops waiting for a rate limit when it is closed', async () => {
    const opened = await open(() => ({ status: 429, headers: { 'retry-after': '60' } }), { attempts: 1 });
    await failureOf(ask());
    const waiting = failureOf(ask('/b', 'bulk'));
    opened.close();
    await expect(waiting).resolves.toMatchObject({ kind: 'unreachable' });
  });
});
