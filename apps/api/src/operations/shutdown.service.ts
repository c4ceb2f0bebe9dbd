import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { stopListening } from '../http/listening.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';

/** How long a kept connection has for one more request, which is answered and told to be the last. */
const LAST_REQUESTS_MS = 1000;

const LOOK_EVERY_MS = 20;

const hasConnections = (server: Server): Promise<boolean> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count > 0)));

/** How far a stop has come: readiness goes down first, then connections are no longer kept. */
@Injectable()
export class Shutdown {
  private announced = false;
  private draining = false;
  private readonly letGoListeners: (() => void)[] = [];

  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  get isAnnounced(): boolean {
    return this.announced;
  }

  /** Whether each answer says that its connection closes. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** For answers that would not end by themselves. */
  onLetGo(listener: () => void): void {
    this.letGoListeners.push(listener);
  }

  /** From now on, kept connections end with their next answer. */
  letGo(): void {
    this.announced = true;
    if (this.draining) return;
    this.draining = true;
    for (const listener of this.letGoListeners) listener();
  }

  /**
   * Stops listening when whoever sends requests here had `SHUTDOWN_DELAY_MS` to notice, and resolves when connections
   * in use have been told to close: what is idle then can be closed.
   */
  async takeLeave(server: Server): Promise<void> {
    this.announced = true;
    await wait(this.settings.SHUTDOWN_DELAY_MS);
    await stopListening(server);
    this.letGo();
    const until = performance.now() + LAST_REQUESTS_MS;
    while (performance.now() < until && (await hasConnections(server))) await wait(LOOK_EVERY_MS);
  }
}
