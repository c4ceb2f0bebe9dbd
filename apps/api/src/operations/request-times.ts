import type { Metric } from 'prom-client';

const NAME = 'roundhouse_http_request_seconds';

/** In seconds; the last one has no end. */
const BOUNDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, Infinity];

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly metricName: string;
  readonly labels: Labels;
  readonly value: number;
}

/** The times of one route and status. */
class Series {
  private readonly counts = BOUNDS.map(() => 0);
  private sum = 0;

  constructor(private readonly labels: Labels) {}

  observe(seconds: number): void {
    let bucket = 0;
    while (seconds > BOUNDS[bucket]!) bucket += 1;
    this.counts[bucket]! += 1;
    this.sum += seconds;
  }

  /** Buckets hold what those below hold, too. */
  get samples(): readonly Sample[] {
    const { labels } = this;
    let total = 0;
    const buckets = BOUNDS.map((bound, index): Sample => {
      total += this.counts[index]!;
      const le = bound === Infinity ? '+Inf' : String(bound);
      return { metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${NAME}_sum`, labels, value: this.sum },
      { metricName: `${NAME}_count`, labels, value: total },
    ];
  }
}

/**
 * A histogram as prom-client has it. Its own one checks and hashes the labels at each observation, which takes longer
 * than all else that is done here for a request whose answer is ready.
 */
export class RequestTimes {
  readonly name = NAME;
  private readonly byRoute = new Map<string, Map<number, Series>>();

  /** For `Registry.registerMetric`, whose type names prom-client's classes; it uses `name` and `get` alone. */
  get asMetric(): Metric {
    return this as unknown as Metric;
  }

  observe(route: string, status: number, elapsedMs: number): void {
    this.seriesOf(route, status).observe(elapsedMs / 1000);
  }

  async get(): Promise<object> {
    const series = [...this.byRoute.values()].flatMap((byStatus) => [...byStatus.values()]);
    return {
      name: NAME,
      help: 'Time to answer, by route and status.',
      type: 'histogram',
      values: series.flatMap(({ samples }) => samples),
      aggregator: 'sum',
    };
  }

  private seriesOf(route: string, status: number): Series {
    let byStatus = this.byRoute.get(route);
    if (!byStatus) this.byRoute.set(route, (byStatus = new Map<number, Series>()));
    let series = byStatus.get(status);
    if (!series) byStatus.set(status, (series = new Series({ route, status: String(status) })));
    return series;
  }
}
