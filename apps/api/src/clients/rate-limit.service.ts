import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { redisAdvice, tlsReason } from '@roundhouse/config';
import { LOGGER, printError } from '@roundhouse/logging';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { SharedAllowance } from './shared-allowance.js';

const WINDOW_MS = 60_000;

/** Beyond this, the least recently seen clients are forgotten. */
const MOST_CLIENTS = 50_000;

/** The share of its allowance that a client gets from Redis at once: about a hundred requests to Redis per minute. */
const SHARE_AT_ONCE = 0.01;

interface Window {
  endsAt: number;
  /** Requests that this pod has let pass. */
  passed: number;
  /** Requests that Redis granted and that are not used yet. */
  granted: number;
  /** Whether Redis has nothing left to grant. */
  isSpent: boolean;
  asking: Promise<void> | null;
  waiting: number;
}

/**
 * Counts the requests of each client within a minute that starts with its first request. With Redis, all pods together
 * never let more than the limit pass. Each pod holds back at most a hundredth of the limit: what it was granted and has
 * not used.
 */
@Injectable()
export class RateLimit implements OnModuleInit, OnApplicationShutdown {
  private readonly perMinute: number;
  private readonly windows = new LRUCache<string, Window>({ max: MOST_CLIENTS });
  private readonly shared: SharedAllowance | null = null;
  private refused = 0;
  private lostBecause = '';

  constructor(
    @Inject(SETTINGS) { RATE_LIMIT, REDIS_URL }: ApiSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.perMinute = RATE_LIMIT;
    if (RATE_LIMIT > 0 && REDIS_URL !== undefined) {
      this.shared = new SharedAllowance(REDIS_URL, RATE_LIMIT, WINDOW_MS, (lost) => this.tell(lost));
    }
  }

  /** Says at the start, also on stderr, if the Redis cannot be used; the api starts nevertheless. */
  async onModuleInit(): Promise<void> {
    await this.shared?.check();
    if (this.shared?.isUsable === false) printError(`${this.lostBecause}.`);
  }

  onApplicationShutdown(): void {
    this.shared?.close();
  }

  /** Since the start. */
  get refusedCount(): number {
    return this.refused;
  }

  /** 0 if the request may pass, otherwise how many milliseconds its client has to wait. Never fails. */
  take(client: string): number | Promise<number> {
    const now = performance.now();
    const window = this.windowOf(client, now);
    if (!this.shared?.isUsable) return this.takeOwn(window, now);
    if (window.granted > 0) return this.pass(window);
    if (window.isSpent) return this.refuse(window, now);
    return this.takeShared(this.shared, client, window);
  }

  private windowOf(client: string, now: number): Window {
    let window = this.windows.get(client);
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_MS, passed: 0, granted: 0, isSpent: false, asking: null, waiting: 0 };
      this.windows.set(client, window);
    }
    return window;
  }

  private takeOwn(window: Window, now: number): number {
    return window.passed < this.perMinute ? this.pass(window) : this.refuse(window, now);
  }

  private async takeShared(shared: SharedAllowance, client: string, window: Window): Promise<number> {
    window.waiting += 1;
    try {
      while (window.granted === 0 && !window.isSpent) {
        await (window.asking ??= this.ask(shared, client, window).finally(() => (window.asking = null)));
      }
    } catch {
      return this.takeOwn(window, performance.now());
    } finally {
      window.waiting -= 1;
    }
    return window.granted > 0 ? this.pass(window) : this.refuse(window, performance.now());
  }

  /** One request to Redis for all waiting requests. */
  private async ask(shared: SharedAllowance, client: string, window: Window): Promise<void> {
    const asked = Math.max(window.waiting, Math.floor(this.perMinute * SHARE_AT_ONCE), 1);
    const { granted, windowLeftMs } = await shared.grant(client, asked);
    window.granted += granted;
    window.isSpent = granted < asked;
    window.endsAt = performance.now() + windowLeftMs;
  }

  private pass(window: Window): 0 {
    window.passed += 1;
    if (window.granted > 0) window.granted -= 1;
    return 0;
  }

  private refuse({ endsAt }: Window, now: number): number {
    this.refused += 1;
    return Math.max(1, endsAt - now);
  }

  private tell(lost: Error | null): void {
    if (lost === null) this.logger.info('RATE_LIMIT is counted over all pods again');
    else {
      const reason = tlsReason(lost) ?? lost.message;
      this.lostBecause = `REDIS_URL cannot be used (${reason}): ${redisAdvice(lost, 'start Redis or correct the address')}. Until then, RATE_LIMIT is counted by each pod alone`;
      this.logger.warn(this.lostBecause);
    }
  }
}
