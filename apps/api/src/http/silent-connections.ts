import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { hasAsked } from './door.service.js';

/** The older half of the connections of the address that has most. */
const tooMany = (connections: readonly Socket[]): readonly Socket[] => {
  const byAddress = new Map<string | undefined, Socket[]>();
  for (const connection of connections) {
    const others = byAddress.get(connection.remoteAddress);
    if (others) others.push(connection);
    else byAddress.set(connection.remoteAddress, [connection]);
  }
  const [most = []] = [...byAddress.values()].sort((one, other) => other.length - one.length);
  return most.slice(0, Math.ceil(most.length / 2));
};

/**
 * If there are too many connections, those that have not sent the head of a request make room, those of the address that
 * has most of them: Node takes them for busy ones until `headersTimeout`.
 */
export const closeSilentConnections = (server: Server): void => {
  const open = new Set<Socket>();
  server
    .on('connection', (socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    })
    .on('drop', () => {
      const silent = [...open].filter((socket) => !hasAsked(socket));
      for (const socket of tooMany(silent)) socket.destroy();
    });
};
