import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of this machine. */
export abstract class LocalServer {
  private readonly server = createServer((incoming, response) => this.answer(incoming, response));

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  protected async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  protected abstract answer(incoming: IncomingMessage, response: ServerResponse): void;
}
