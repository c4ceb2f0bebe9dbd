import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Keeps connections open and lets nothing through. */
  stall(): void;
  restore(): void;
  close(): Promise<void>;
}

/** A way to the database that can fail as networks fail. */
export const openTcpProxy = async (databaseUrl: string): Promise<TcpProxy> => {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client]] as const) {
      from.on('data', (bytes) => state !== 'stalled' && to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const endAll = (): void => pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()));
  return {
    url: url.toString(),
    cut: () => {
      state = 'cut';
      endAll();
    },
    stall: () => {
      state = 'stalled';
    },
    restore: () => {
      // What went astray while stalled would leave the two ends out of step.
      endAll();
      state = 'open';
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
