import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { recordedRequests, type RecordedRequest } from './recorded-requests.js';

/** Clients differ in the order and the encoding of parameters. */
const normalized = (url: string): string => {
  const { pathname, searchParams } = new URL(url, 'http://node');
  searchParams.sort();
  return `${pathname}?${searchParams.toString()}`;
};

/** A stand-in for the recorded node: it repeats what the node answered, and fails for anything that was not recorded. */
export class RecordedNode {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<RecordedNode> {
    const answers = new Map<string, RecordedRequest>();
    for (const request of recordedRequests)
      if (request.method === 'GET' && request.headers['API-Version'] === '1')
        answers.set(normalized(request.path), request);
    const server = createServer(({ url = '' }, response) => {
      const recorded = answers.get(normalized(url));
      response.writeHead(recorded?.status ?? 599, { 'Content-Type': 'application/json' });
      response.end(recorded?.body ?? `not recorded: ${url}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RecordedNode(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
