import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Limits the wait if new connections keep coming. */
const MOST_TURNS = 1000;

/** Accepts the connections that wait in the operating system's queue, which would otherwise be reset. */
const acceptWaiting = async (server: Server): Promise<void> => {
  // Node accepts one connection per turn of the event loop, and the first turn may be almost over.
  let quietTurns = 0;
  const note = (): void => {
    quietTurns = 0;
  };
  server.on('connection', note);
  for (let turn = 0; quietTurns < 2 && turn < MOST_TURNS; turn += 1) {
    quietTurns += 1;
    await nextTurn();
  }
  server.off('connection', note);
};

/** Accepts no new connections; existing ones stay open. */
export const stopListening = async (server: Server): Promise<void> => {
  await acceptWaiting(server);
  // Closing the HTTP server would end idle connections at once, and lose requests that are on their way.
  NetServer.prototype.close.call(server);
};
