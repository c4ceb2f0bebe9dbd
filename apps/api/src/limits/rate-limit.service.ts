import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { redisAdvice, resolveRedisUrl, tlsReason } from '@roundhouse/config';
import { LOGGER, printError } from '@roundhouse/logging';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { SETTINGS, type ApiSettings } from '../api.config.js';

const WINDOW_MS = 60_000;

/** Beyond this, the least recently seen clients are forgotten. */
const MOST_CLIENTS = 50_000;

/** The share of its allowance that a client gets from Redis at once: about a hundred requests to Redis per minute. */
const SHARE_AT_ONCE = 0.01;

/** In deploy/, the api's Redis user may access only these keys. */
const KEY_PREFIX = 'roundhouse:rate-limit:';

/** A slower Redis would delay answers too much. */
const TIMEOUT_MS = 300;

const TRY_AGAIN_MS = 1000;

/** Never grants more than `ARGV[2]` to one key within a window, which starts with its first grant. */
const GRANT_REQUESTS = `
  -- If the clock of Redis went back, the window would last longer by that time.
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  local left = tonumber(ARGV[2]) - tonumber(redis.call('GET', KEYS[1]) or '0')
  local granted = math.max(math.min(tonumber(ARGV[1]), left), 0)
  if granted > 0 and redis.call('INCRBY', KEYS[1], granted) == granted then
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
  end
  return {granted, redis.call('PTTL', KEYS[1]), math.max(left - granted, 0)}
`;

type Granted = [granted: number, windowLeftMs: number, left: number];

/** The requests of a client within a minute. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly renewedAt: number;
}

interface Window {
  endsAt: number;
  /** Requests that this pod has let pass. */
  passed: number;
  /** Requests that Redis granted and that are not used yet. */
  granted: number;
  /** Requests that Redis could grant besides, when it was asked last. */
  left: number;
  /** Whether Redis has nothing left to grant. */
  isSpent: boolean;
  asking: Promise<void> | null;
  waiting: number;
}

const startWindow = (): Window => ({
  endsAt: performance.now() + WINDOW_MS,
  passed: 0,
  granted: 0,
  left: 0,
  isSpent: false,
  asking: null,
  waiting: 0,
});

/**
 * Counts the requests of each client within a minute that starts with its first request. With Redis, all pods together
 * never let more than the limit pass. Each pod holds back at most a hundredth of the limit: what it was granted and has
 * not used.
 */
@Injectable()
export class RateLimit implements OnModuleInit, OnApplicationShutdown {
  private readonly perMinute: number;
  private readonly windows = new LRUCache<string, Window>({ max: MOST_CLIENTS });
  private readonly redis: Redis | null = null;
  /** Why the connection failed, which the errors of commands do not say. */
  private connectionError: Error | null = null;
  /** Why Redis cannot be used; null while it can. */
  private loss: string | null = null;
  private isClosed = false;
  /** How many were refused since the start. */
  refusedCount = 0;

  constructor(
    @Inject(SETTINGS) { RATE_LIMIT, REDIS_URL }: ApiSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.perMinute = RATE_LIMIT;
    if (RATE_LIMIT === 0 || REDIS_URL === undefined) return;
    const { url, tls } = resolveRedisUrl(REDIS_URL);
    this.redis = new Redis(url, {
      ...(tls === null ? {} : { tls }),
      commandTimeout: TIMEOUT_MS,
      connectTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 0,
      // The api's Redis user may not run the commands of these checks.
      enableReadyCheck: false,
      disableClientInfo: true,
    });
    // Emitted for each failed connection. The commands fail too, and their errors are handled.
    this.redis.on('error', (error: Error) => (this.connectionError = error));
    this.redis.on('connect', () => (this.connectionError = null));
  }

  /** Says at the start, also on stderr, if the Redis cannot be used; the api starts nevertheless. */
  async onModuleInit(): Promise<void> {
    if (this.redis) await this.canGrant(this.redis);
    if (this.loss !== null) printError(`${this.loss}.`);
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    this.redis?.disconnect();
  }

  /** 0 if the request may pass, otherwise how many milliseconds its client has to wait. Never fails. */
  take(client: string): number | Promise<number> {
    const now = performance.now();
    let window = this.windows.get(client);
    if (!window || window.endsAt <= now) {
      window = startWindow();
      this.windows.set(client, window);
    }
    if (!this.redis || this.loss !== null) return this.settle(window, window.passed < this.perMinute);
    if (window.granted > 0 || window.isSpent) return this.settle(window, window.granted > 0);
    return this.takeShared(this.redis, client, window);
  }

  /** What is left to a client that has taken: requests, and when they are renewed, in milliseconds since 1970. */
  leftTo(client: string): Allowance {
    // Forgotten meanwhile if very many clients came.
    const { passed, granted, left, endsAt } = this.windows.get(client) ?? startWindow();
    const isShared = this.redis && this.loss === null;
    return {
      limit: this.perMinute,
      remaining: isShared ? granted + left : Math.max(0, this.perMinute - passed),
      renewedAt: Date.now() + endsAt - performance.now(),
    };
  }

  private async takeShared(redis: Redis, client: string, window: Window): Promise<number> {
    window.waiting += 1;
    try {
      while (window.granted === 0 && !window.isSpent)
        await (window.asking ??= this.ask(redis, client, window).finally(() => (window.asking = null)));
    } catch {
      return this.settle(window, window.passed < this.perMinute);
    } finally {
      window.waiting -= 1;
    }
    return this.settle(window, window.granted > 0);
  }

  private settle(window: Window, mayPass: boolean): number {
    if (!mayPass) {
      this.refusedCount += 1;
      return Math.max(1, window.endsAt - performance.now());
    }
    window.passed += 1;
    if (window.granted > 0) window.granted -= 1;
    return 0;
  }

  /** One request to Redis for all waiting requests. */
  private async ask(redis: Redis, client: string, window: Window): Promise<void> {
    const asked = Math.max(window.waiting, Math.floor(this.perMinute * SHARE_AT_ONCE), 1);
    const [granted, windowLeftMs, left] = await this.grant(redis, client, asked);
    window.granted += granted;
    window.left = left;
    window.isSpent = granted < asked;
    window.endsAt = performance.now() + windowLeftMs;
  }

  /** How many requests are granted, after how many milliseconds all are again, and how many are left. Throws what the Redis client throws. */
  private async grant(redis: Redis, client: string, asked: number): Promise<Granted> {
    const key = KEY_PREFIX + client;
    try {
      return (await redis.eval(GRANT_REQUESTS, 1, key, asked, this.perMinute, WINDOW_MS)) as Granted;
    } catch (error) {
      if (this.loss === null && !this.isClosed)
        void this.waitFor(redis, this.connectionError ?? (error as Error));
      throw error;
    }
  }

  /** Whether Redis answers, and can write too. Takes no longer than a command may. */
  private canGrant(redis: Redis): Promise<boolean> {
    return this.grant(redis, 'probe', 1).then(
      () => true,
      () => false,
    );
  }

  /** Asks Redis until it answers, so that no request waits for it. */
  private async waitFor(redis: Redis, lost: Error): Promise<void> {
    const advice = redisAdvice(lost, 'start Redis or correct the address');
    this.loss = `REDIS_URL cannot be used (${tlsReason(lost) ?? lost.message}): ${advice}. Until then, RATE_LIMIT is counted by each pod alone`;
    this.logger.warn(this.loss);
    do {
      await wait(TRY_AGAIN_MS, undefined, { ref: false });
    } while (!this.isClosed && !(await this.canGrant(redis)));
    if (this.isClosed) return;
    this.loss = null;
    this.logger.info('RATE_LIMIT is counted over all pods again');
  }
}
