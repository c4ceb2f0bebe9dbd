import { setTimeout as wait } from 'node:timers/promises';
import { resolveRedisUrl } from '@roundhouse/config';
import { Redis, type Result } from 'ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    grantRequests(
      key: string,
      asked: number,
      most: number,
      windowMs: number,
    ): Result<[granted: number, windowLeftMs: number], Context>;
  }
}

/** Never grants more than `most` to one key within a window, which starts with its first grant. */
const GRANT_REQUESTS = `
  -- If the clock of Redis went back, the window would last longer by that time.
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  local granted = math.min(tonumber(ARGV[1]), tonumber(ARGV[2]) - tonumber(redis.call('GET', KEYS[1]) or '0'))
  if granted > 0 and redis.call('INCRBY', KEYS[1], granted) == granted then
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
  end
  return {math.max(granted, 0), redis.call('PTTL', KEYS[1])}
`;

/** In deploy/, the api's Redis user may access only these keys. */
const KEY_PREFIX = 'roundhouse:rate-limit:';

/** A slower Redis would delay answers too much. */
const TIMEOUT_MS = 300;

const TRY_AGAIN_MS = 1000;

export interface Grant {
  readonly granted: number;
  /** Milliseconds until the whole allowance is available again. */
  readonly windowLeftMs: number;
}

/** The allowance of each client across all pods, kept in Redis. */
export class SharedAllowance {
  private readonly redis: Redis;
  private isReached = true;
  /** Why the connection failed, which the errors of commands do not say. */
  private connectionError: Error | null = null;
  private isClosed = false;

  /** @param onChange called once when Redis becomes unusable (with the reason), and once when it is usable again */
  constructor(
    redisUrl: string,
    private readonly most: number,
    private readonly windowMs: number,
    private readonly onChange: (lost: Error | null) => void,
  ) {
    const { url, tls } = resolveRedisUrl(redisUrl);
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
    this.redis.defineCommand('grantRequests', { numberOfKeys: 1, lua: GRANT_REQUESTS });
  }

  /** Whether Redis answered the last request. */
  get isUsable(): boolean {
    return this.isReached;
  }

  /** Throws what the Redis client throws. */
  async grant(client: string, asked: number): Promise<Grant> {
    try {
      const [granted, windowLeftMs] = await this.redis.grantRequests(
        KEY_PREFIX + client,
        asked,
        this.most,
        this.windowMs,
      );
      return { granted, windowLeftMs };
    } catch (error) {
      this.lose(error as Error);
      throw error;
    }
  }

  /** Tells with `onChange` if Redis cannot be used. Takes no longer than a command may. */
  async check(): Promise<void> {
    await this.grant('probe', 1).catch(() => undefined);
  }

  close(): void {
    this.isClosed = true;
    this.redis.disconnect();
  }

  private lose(reason: Error): void {
    if (!this.isReached || this.isClosed) return;
    this.isReached = false;
    this.onChange(this.connectionError ?? reason);
    void this.regain();
  }

  /** Probes Redis until it answers, so that no request waits for it. */
  private async regain(): Promise<void> {
    while (!this.isReached && !this.isClosed) {
      await wait(TRY_AGAIN_MS, undefined, { ref: false });
      // Redis must be able to write, too.
      this.isReached = await this.redis.grantRequests(`${KEY_PREFIX}probe`, 1, this.most, this.windowMs).then(
        () => true,
        () => false,
      );
    }
    if (!this.isClosed) this.onChange(null);
  }
}
