import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { stopListening } from '../http/listening.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';

/** How long a kept connection may send one more request; its answer announces that the connection closes. */
const LAST_REQUESTS_MS = 1000;

const LOOK_EVERY_MS = 20;

const hasConnections = (server: Server): Promise<boolean> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count > 0)));

/** The stages of a stop: the api becomes unready, stops listening, then closes each connection with its next answer. */
@Injectable()
export class Shutdown {
  private announced = false;
  private draining = false;
  private readonly listeners: (() => void)[] = [];

  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  get isAnnounced(): boolean {
    return this.announced;
  }

  /** Whether each answer closes its connection. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** For streams, which do not end by themselves. */
  onDrain(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** From now on, each kept connection closes with its next answer. */
  drain(): void {
    this.announced = true;
    if (this.draining) return;
    this.draining = true;
    for (const listener of this.listeners) listener();
  }

  /**
   * Becomes unready, waits `SHUTDOWN_DELAY_MS` so that load balancers notice, stops listening and drains. Resolves when
   * the remaining connections may be closed.
   */
  async stopServing(server: Server): Promise<void> {
    this.announced = true;
    await wait(this.settings.SHUTDOWN_DELAY_MS);
    await stopListening(server);
    this.drain();
    const until = performance.now() + LAST_REQUESTS_MS;
    while (performance.now() < until && (await hasConnections(server))) await wait(LOOK_EVERY_MS);
  }
}
