import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  /** Names and values in the order of their arrival. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** A program that webhooks are posted to. */
export class TestReceiver {
  readonly received: Received[] = [];
  /** What it does with a request after reading it. (Default: 200) */
  respond: (response: ServerResponse, received: Received) => void = (response) => response.end();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TestReceiver> {
    const server = createServer();
    const receiver = new TestReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { rawHeaders } = request;
        const headers = rawHeaders.flatMap((name, place) =>
          place % 2 === 0 ? [[name, rawHeaders[place + 1]!] as const] : [],
        );
        const received = { path: request.url!, headers, body: Buffer.concat(chunks).toString() };
        receiver.received.push(received);
        receiver.respond(response, received);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The data of each post to a path, in the order of arrival. */
  dataAt(path: string): unknown[] {
    return this.received
      .filter((each) => each.path === path)
      .map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
