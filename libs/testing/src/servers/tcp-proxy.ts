import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a program and a server. A test can make the server hang or vanish for that program alone. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isFrozen = false;
  private refusal: Buffer | null = null;

  private constructor(
    private readonly server: Server,
    /** The server's URL with the proxy's address. */
    readonly url: string,
  ) {}

  /** `serverUrl` must contain the port. */
  static async before(serverUrl: string): Promise<TcpProxy> {
    const target = new URL(serverUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(serverUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new TcpProxy(server, url.toString());
    server.on('connection', (client) => {
      const { refusal } = proxy;
      if (refusal === null) proxy.join(client, connect(Number(target.port), target.hostname));
      else client.on('error', () => undefined).once('data', () => client.end(refusal));
    });
    return proxy;
  }

  /** Connections stay open and new ones are accepted, but no data passes. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** From now on, each new connection receives this answer to its first data and is closed. */
  refuse(answer: Buffer): void {
    this.refusal = answer;
  }

  /** Simulates that the server is gone: connections break, and new ones are refused. */
  async cut(): Promise<void> {
    this.breakAll();
    if (this.server.listening) await once(this.server.close(), 'close');
  }

  /** Brings the server back after `freeze`, `refuse` or `cut`, at the same address. Connections that hung break. */
  async restore(): Promise<void> {
    this.isFrozen = false;
    this.refusal = null;
    this.breakAll();
    if (this.server.listening) return;
    await once(this.server.listen(Number(new URL(this.url).port), '127.0.0.1'), 'listening');
  }

  close(): Promise<void> {
    return this.cut();
  }

  private breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket, upstream: Socket): void {
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.on('data', (chunk) => to.write(chunk));
      if (this.isFrozen) from.pause();
    }
  }
}
