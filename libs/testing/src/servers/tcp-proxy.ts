import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a program and a server, which a test can let hang or vanish for that program alone. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isFrozen = false;
  private refusal: Buffer | null = null;

  private constructor(
    private readonly server: Server,
    /** The server's URL with the proxy's address. */
    readonly url: string,
  ) {}

  /** `serverUrl` names its port. */
  static async before(serverUrl: string): Promise<TcpProxy> {
    const target = new URL(serverUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(serverUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new TcpProxy(server, url.toString());
    server.on('connection', (client) => {
      if (proxy.refusal) proxy.turnAway(client, proxy.refusal);
      else proxy.join(client, connect(Number(target.port), target.hostname));
    });
    return proxy;
  }

  /** Connections stay, new ones are made, and nothing comes through any of them any more. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Whoever connects from now on gets this answer to what it says first, and is turned away. */
  refuse(answer: Buffer): void {
    this.refusal = answer;
  }

  /** The server is gone: connections break, and new ones are refused. */
  async cut(): Promise<void> {
    this.breakAll();
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  /** The server is back after `freeze`, `refuse` or `cut`, at the same address; what hung until now breaks. */
  async restore(): Promise<void> {
    this.isFrozen = false;
    this.refusal = null;
    this.breakAll();
    if (this.server.listening) return;
    this.server.listen(Number(new URL(this.url).port), '127.0.0.1');
    await once(this.server, 'listening');
  }

  close(): Promise<void> {
    return this.cut();
  }

  private breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private turnAway(client: Socket, answer: Buffer): void {
    client.on('error', () => undefined);
    client.once('data', () => client.end(answer));
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
