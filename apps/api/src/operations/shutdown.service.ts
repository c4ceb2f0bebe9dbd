import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type ApiSettings } from '../api.config.js';

/** How long a kept connection may send one more request; its answer announces that the connection closes. */
const LAST_REQUESTS_MS = 1000;

const LOOK_EVERY_MS = 20;

const hasConnections = (server: Server): Promise<boolean> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count > 0)));

/** Limits the wait if new connections keep coming. */
const MOST_TURNS = 1000;

/** Accepts the connections that wait in the operating system's queue, which would otherwise be reset. */
const acceptWaiting = async (server: Server): Promise<void> => {
  // Node accepts one connection per turn of the event loop, and the first turn may be almost over.
  let quietTurns = 0;
  const note = (): void => void (quietTurns = 0);
  server.on('connection', note);
  for (let turn = 0; quietTurns < 2 && turn < MOST_TURNS; turn += 1) {
    quietTurns += 1;
    await nextTurn();
  }
  server.off('connection', note);
};

/** The stages of a stop: the api becomes unready, stops listening, then closes each connection with its next answer. */
@Injectable()
export class Shutdown {
  /** Whether the api is unready. */
  isAnnounced = false;
  /** Whether each answer closes its connection. */
  isDraining = false;
  private readonly listeners: (() => void)[] = [];

  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  /** For streams, which do not end by themselves. */
  onDrain(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** From now on, each kept connection closes with its next answer. */
  drain(): void {
    this.isAnnounced = true;
    if (this.isDraining) return;
    this.isDraining = true;
    for (const listener of this.listeners) listener();
  }

  /**
   * Becomes unready, waits `SHUTDOWN_DELAY_MS` so that load balancers notice, stops listening and drains. Resolves when
   * the remaining connections may be closed.
   */
  async stopServing(server: Server): Promise<void> {
    this.isAnnounced = true;
    await wait(this.settings.SHUTDOWN_DELAY_MS);
    await acceptWaiting(server);
    // Closing the HTTP server would end idle connections at once, and lose requests that are on their way.
    NetServer.prototype.close.call(server);
    this.drain();
    const until = performance.now() + LAST_REQUESTS_MS;
    while (performance.now() < until && (await hasConnections(server))) await wait(LOOK_EVERY_MS);
  }
}
