import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Recording } from '../recordings.js';
import { recordedRefusal, type Misbehaviour } from './misbehaviour.js';
import { NodeAnswers } from './node-answers.js';
import type { NodeLine } from './node-query.js';
import { notFound, NodeRefusal, refusalBody } from './node-refusal.js';
import { recordedAnswers, recordedNodeChain, type NodeBlock } from './recorded-node-chain.js';

const LINES: Readonly<Record<Recording, NodeLine>> = { 'core-2.4': '2.x', 'core-3.9': '3.x' };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Stands in for the Core node of a recording at the HTTP level. It answers any query of an indexer with the shapes,
 * limits and orders of its line, computed from the node's own recorded answers.
 */
export class CoreApiStandIn {
  /** The path of every request, in order. */
  readonly requests: string[] = [];
  /** The headers of every request, in order. */
  readonly requestHeaders: IncomingHttpHeaders[] = [];
  /** The node's current chain. A test may cut it off, extend it, or replace it with another branch. */
  chain: readonly NodeBlock[];
  /** In seconds, instead of the recorded minute. */
  retryAfter = '0.05';
  /** Called before each answer, with the body of a POST. May change the chain between two requests of a client. */
  beforeAnswer: (path: string, payload: string) => void = () => undefined;
  private readonly misbehaviours: Misbehaviour[] = [];
  private readonly answers: NodeAnswers;

  private constructor(
    private readonly line: NodeLine,
    recording: Recording,
    private readonly server: Server,
  ) {
    this.chain = recordedNodeChain(recording);
    this.answers = new NodeAnswers(line, recordedAnswers(recording));
  }

  static async start(recording: Recording): Promise<CoreApiStandIn> {
    const server = createServer();
    const standIn = new CoreApiStandIn(LINES[recording], recording, server);
    server.on('request', (request, response) => void standIn.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Applies each of these to one of the next requests. */
  misbehave(...misbehaviours: readonly Misbehaviour[]): void {
    this.misbehaviours.push(...misbehaviours);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(request.url!);
    this.requestHeaders.push(request.headers);
    const payload = (await request.toArray().catch(() => [])).join('');
    this.beforeAnswer(request.url!, payload);
    const misbehaviour = this.misbehaviours.shift();
    if (misbehaviour === 'silent') return;
    const { status, headers, body } = misbehaviour
      ? this.misbehaved(misbehaviour)
      : this.answer(request, payload);
    response.writeHead(status, { ...JSON_TYPE, ...headers, 'content-length': Buffer.byteLength(body) });
    if (misbehaviour === 'cut-off') {
      response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
      return;
    }
    // Line 3.x announces keep-alive but destroys the connection.
    if (this.line === '3.x') response.on('finish', () => request.socket.destroySoon());
    response.end(body);
  }

  private answer(request: IncomingMessage, payload: string): Answer {
    const headers: Record<string, string> =
      this.line === '2.x' ? { 'api-version': '2' } : { 'x-block-height': `${this.chain.length}` };
    try {
      const url = this.addressOf(request);
      const body =
        request.method === 'POST'
          ? this.answers.search(this.chain, url, JSON.parse(payload))
          : this.answers.answer(this.chain, url);
      return { status: 200, headers, body };
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      return { status: error.status, headers, body: error.body };
    }
  }

  /** Line 2.x answers under `/api` if the request has the header `API-Version: 2`, and always under `/api/v2`. */
  private addressOf({ url, headers }: IncomingMessage): URL {
    const address = new URL(url!, this.url);
    const isVersioned = /^\/api\/v2(\/|$)/.test(address.pathname);
    if (this.line === '2.x' && !isVersioned && headers['api-version'] === '2') {
      address.pathname = address.pathname.replace(/^\/api/, '/api/v2');
    } else if ((this.line === '2.x') !== isVersioned || !address.pathname.startsWith('/api/')) {
      throw notFound();
    }
    return address;
  }

  private misbehaved(kind: Exclude<Misbehaviour, 'silent'>): Answer {
    switch (kind) {
      case 'rate-limited': {
        const { status, responseHeaders, body } = recordedRefusal(kind);
        return { status, body, headers: { ...responseHeaders, 'retry-after': this.retryAfter } };
      }
      case 'busy': {
        const { status, responseHeaders, body } = recordedRefusal(kind);
        return { status, body, headers: responseHeaders };
      }
      case 'failing':
        return { status: 500, headers: {}, body: refusalBody(500, 'An internal server error occurred') };
      case 'cut-off':
        return { status: 200, headers: {}, body: '{"data":{}}' };
    }
  }
}
