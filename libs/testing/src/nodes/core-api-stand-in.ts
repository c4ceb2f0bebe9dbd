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
import { madeBodies, recordedBodies, type NodeBodies } from './node-bodies.js';
import { NODE_LINES, type NodeLine, type NodeLineName } from './node-lines.js';
import { notFound, NodeRefusal, refusalBody } from './node-refusal.js';
import { NodeShape, type NodeConfiguration } from './node-shape.js';
import { recordedNodeChain, type ArchiveBlock, type NodeBlock } from './recorded-node-chain.js';

const RECORDED: Readonly<Record<Recording, NodeLineName>> = { 'core-2.4': '2.4', 'core-3.9': '3.0.6-3.9' };

export interface NodeRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The body of a POST; otherwise empty. */
  readonly payload: string;
}

export interface NodeAnswer {
  /** 200 without it. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Called before the node answers. What it returns is the answer; undefined leaves the answer to the node. */
export type Intercept = (request: NodeRequest) => NodeAnswer | undefined | void;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Stands in for a Core node at the HTTP level. It answers any query of an indexer with the shapes, limits and orders of
 * its line: from the recorded answers of a real node, or from any list of blocks.
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
  /** May also change the chain between two requests of a client. */
  intercept: Intercept = () => undefined;
  private readonly misbehaviours: Misbehaviour[] = [];
  private answers: NodeAnswers;

  private constructor(
    private line: NodeLine,
    chain: readonly NodeBlock[],
    bodies: NodeBodies,
    private readonly server: Server,
  ) {
    this.chain = chain;
    this.answers = new NodeAnswers(line, bodies);
  }

  /** The node of a recording. */
  static start(recording: Recording): Promise<CoreApiStandIn> {
    const line = NODE_LINES[RECORDED[recording]];
    return CoreApiStandIn.listen(line, recordedNodeChain(recording), recordedBodies(recording));
  }

  /** A node of a line that has these blocks. */
  static startLine(
    name: NodeLineName,
    configuration: NodeConfiguration,
    blocks: readonly ArchiveBlock[],
  ): Promise<CoreApiStandIn> {
    const line = NODE_LINES[name];
    const chain = new NodeShape(line, configuration, blocks).chain(blocks);
    return CoreApiStandIn.listen(line, chain, madeBodies(line, configuration));
  }

  private static async listen(
    line: NodeLine,
    chain: readonly NodeBlock[],
    bodies: NodeBodies,
  ): Promise<CoreApiStandIn> {
    const server = createServer();
    const standIn = new CoreApiStandIn(line, chain, bodies, server);
    server.on('request', (request, response) => void standIn.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on, the node is of the other's line and has its chain. */
  behaveAs({ line, chain, answers }: CoreApiStandIn): void {
    Object.assign(this, { line, chain, answers });
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
    const intercepted = this.intercept({ method: request.method!, path: request.url!, payload });
    const misbehaviour = this.misbehaviours.shift();
    if (misbehaviour === 'silent') return;
    const {
      status = 200,
      headers,
      body,
    } = intercepted ?? (misbehaviour ? this.misbehaved(misbehaviour) : this.answer(request, payload));
    response.writeHead(status, { ...JSON_TYPE, ...headers, 'content-length': Buffer.byteLength(body) });
    if (misbehaviour === 'cut-off') {
      response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
      return;
    }
    // Lines 3.x announce keep-alive.
    if (this.line.destroysConnections) response.on('finish', () => request.socket.destroySoon());
    response.end(body);
  }

  private answer(request: IncomingMessage, payload: string): NodeAnswer {
    const headers: Record<string, string> = this.line.hasSearches
      ? { 'api-version': '2' }
      : { 'x-block-height': `${this.chain.length}` };
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

  /** The address without the line's root. */
  private addressOf({ url, headers }: IncomingMessage): URL {
    const address = new URL(url!, this.url);
    const { root } = this.line;
    const [, version, path] = /^\/api(\/v2)?(\/.*)$/.exec(address.pathname) ?? [];
    const isVersioned = version !== undefined || headers['api-version'] === '2';
    if (path === undefined || (root === 'plain' && version !== undefined)) throw notFound();
    if (root === 'versioned' && !isVersioned) throw notFound();
    address.pathname = path;
    return address;
  }

  private misbehaved(kind: Exclude<Misbehaviour, 'silent'>): NodeAnswer {
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
