import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** So that connections that come without a pause do not hold up a stop. */
const MOST_TURNS = 1000;

/** Takes the connections that the operating system has accepted already: it would reset them. */
const acceptWaiting = async (server: Server): Promise<void> => {
  // Node takes one connection a turn, and the first turn may be over but for its end.
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

/** Takes no new connection, and leaves alone those that there are. */
export const stopListening = async (server: Server): Promise<void> => {
  await acceptWaiting(server);
  // The close of an HTTP server would end idle connections at once, and with them requests that are on their way.
  NetServer.prototype.close.call(server);
};
