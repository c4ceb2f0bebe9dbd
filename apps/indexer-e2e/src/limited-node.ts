import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before a node: it records the requests, and refuses with 429 on demand. */
export class LimitedNode {
  /** Path and query of each request. */
  readonly asked: string[] = [];
  /** Seconds; null lets everything pass. */
  retryAfter: number | null = null;

  private constructor(private readonly server: Server) {}

  static async before(nodeUrl: string): Promise<LimitedNode> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node = new LimitedNode(server);
    server.on('request', (incoming, response) => node.answer(nodeUrl, incoming, response));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private answer(nodeUrl: string, incoming: IncomingMessage, response: ServerResponse): void {
    const path = incoming.url ?? '/';
    this.asked.push(path);
    if (this.retryAfter !== null) {
      response.writeHead(429, { 'retry-after': String(this.retryAfter), 'content-type': 'application/json' });
      response.end('{"statusCode":429}');
      return;
    }
    const outgoing = request(new URL(path, nodeUrl), { headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    outgoing.end();
  }
}
