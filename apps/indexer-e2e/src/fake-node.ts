import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A node's API with fixed answers: the `data` of each path. Everything else is 404. */
export class FakeNode {
  /** The path of each request, without its query. */
  readonly asked: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(
    answers: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<FakeNode> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node = new FakeNode(server);
    server.on('request', ({ url = '' }, response) => {
      const path = url.replace(/\?.*/, '');
      node.asked.push(path);
      const data = answers[path];
      response.writeHead(data === undefined ? 404 : 200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(data === undefined ? { statusCode: 404 } : { data }));
    });
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
}
