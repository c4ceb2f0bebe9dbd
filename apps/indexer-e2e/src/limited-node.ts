import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';

/** A proxy before a node: it records the requests, and refuses with 429 on demand. */
export class LimitedNode extends LocalServer {
  /** Path and query of each request. */
  readonly asked: string[] = [];
  /** Seconds; null lets everything pass. */
  retryAfter: number | null = null;

  static before(nodeUrl: string): Promise<LimitedNode> {
    const node = new LimitedNode();
    node.server.on('request', (incoming, response) => node.answer(nodeUrl, incoming, response));
    return node.listen();
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
