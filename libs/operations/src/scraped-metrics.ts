import { droppedLogLines } from '@roundhouse/logging';
import { collectDefaultMetrics, Counter, Gauge, Registry, type LabelValues } from 'prom-client';
import { inTime } from './in-time.js';

type Value = number | null | undefined;
type Labelled<Label extends string> = readonly [LabelValues<Label>, number];

/** The part of a pool that is shown. */
interface ShownPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** The metrics that Prometheus reads: what every process has, and what the app adds. */
export abstract class ScrapedMetrics {
  readonly registry = new Registry();
  private readonly readings: (() => Promise<void>)[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.counter(
      'roundhouse_log_lines_dropped_total',
      'Log lines that could not be written.',
      droppedLogLines,
    );
  }

  /** A scrape, as text. What cannot be read in time is left out, so that Prometheus gets the rest. */
  async read(): Promise<string> {
    await Promise.all(this.readings.map((read) => read()));
    return this.registry.metrics();
  }

  /** For what several metrics show: it is read once, at the beginning of each scrape. Returns what was read. */
  shared<T>(read: () => Promise<T>): () => T | undefined {
    let last: T | undefined;
    this.readings.push(async () => {
      last = await inTime(read(), undefined);
    });
    return () => last;
  }

  /** A metric that is read at each scrape; null omits it. */
  gauge(name: string, help: string, read: () => Value | Promise<Value>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const reading = read();
        const value = reading instanceof Promise ? await inTime(reading, undefined) : reading;
        // A gauge without labels reports 0 unless it is removed.
        if (value === null || value === undefined) this.remove();
        else this.set(value);
      },
    });
  }

  /** The same, with a value for each set of labels. */
  gauges<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => Promise<readonly Labelled<Label>[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const series = await inTime(read(), []);
        this.reset();
        for (const [labels, value] of series) this.set(labels, value);
      },
    });
  }

  /** A number that only grows. It is counted elsewhere, at no cost, and read at each scrape. */
  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  addPool(pool: ShownPool): void {
    // Read first, because the queries of a scrape may wait too.
    const waiting = this.shared(async () => pool.waitingCount);
    this.gauge('roundhouse_pool_connections', 'Open connections of the pool.', () => pool.totalCount);
    this.gauge('roundhouse_pool_idle', 'Open connections that are not in use.', () => pool.idleCount);
    this.gauge('roundhouse_pool_waiting', 'Queries that wait for a connection.', waiting);
    this.gauge('roundhouse_pool_max', 'The most connections that the pool opens.', () => pool.options.max);
  }
}
