import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of this machine. */
export class LocalServer {
  protected readonly server = createServer();

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
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }
}
