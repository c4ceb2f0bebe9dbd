import { readFile } from 'node:fs/promises';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { Registry } from 'prom-client';
import { parse } from 'yaml';
import { renderWith } from '../kubernetes/render.js';
import { ofKind } from '../kubernetes/workloads.js';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RuleFile {
  readonly groups: readonly { readonly rules: Rule[] }[];
}

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Operations {
  readonly registry: Registry;
}

type OperationsModule = Readonly<Record<string, new (...parts: unknown[]) => Operations>>;

const load = async (path: string): Promise<OperationsModule> =>
  (await import(new URL(`../../../apps/${path}.ts`, import.meta.url).href)) as OperationsModule;

const shutdown = { onDrain: () => undefined };

/** Adds the metrics that the api's services export themselves. */
const addServices = async (metrics: Operations): Promise<void> => {
  const { StreamedAnswers } = await load('api/src/answers/streamed-answers.service');
  const { EventStreams } = await load('api/src/events/event-streams.service');
  new StreamedAnswers!({}, {}, {}, { streams: {} }, shutdown, metrics);
  const streams = new EventStreams!(
    { TRUST_PROXY: '', EVENTS_HEARTBEAT_MS: 1000 },
    { onNews: () => undefined },
    shutdown,
    metrics,
  ) as unknown as { onApplicationShutdown: () => void };
  streams.onApplicationShutdown();
};

/** Every series that an app exports, with its labels. Values are only read on a scrape. */
const seriesOf = async (app: 'api' | 'indexer'): Promise<Map<string, string[]>> => {
  const { Metrics } = await load(`${app}/src/operations/metrics.service`);
  const { LiveMetrics } = await load(`${app}/src/operations/live-metrics.service`);
  const counted = new Metrics!();
  new LiveMetrics!(counted, {}, {}, {}, {});
  if (app === 'api') await addServices(counted);
  const series = new Map<string, string[]>();
  for (const { name, type, labelNames = [] } of counted.registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames?: string[];
  }[]) {
    if (type !== 'histogram') series.set(name, labelNames);
    else for (const part of ['bucket', 'count', 'sum']) series.set(`${name}_${part}`, [...labelNames, 'le']);
  }
  return series;
};

const METRIC = /\b(?:roundhouse|nodejs|process)_\w+/g;

/** A metric and the labels in its braces. */
const SELECTOR = /\b((?:roundhouse|nodejs|process)_\w+)\{([^}]*)\}/g;

/** Prometheus adds these labels to every series. */
const OWN_LABELS = ['job', 'instance'];

describe('the monitoring', () => {
  let api: Map<string, string[]>;
  let indexer: Map<string, string[]>;
  let rules: Rule[];
  let panels: Panel[];
  let expressions: string[];

  beforeAll(async () => {
    api = await seriesOf('api');
    indexer = await seriesOf('indexer');
    const file = parse(await read('deploy/monitoring/prometheus/roundhouse.rules.yml')) as RuleFile;
    rules = file.groups.flatMap((group) => group.rules);
    const dashboard = await read('deploy/monitoring/grafana/dashboards/roundhouse.json');
    ({ panels } = JSON.parse(dashboard) as { panels: Panel[] });
    expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ];
  });

  const labelsOf = (metric: string): string[] | undefined =>
    api.has(metric) || indexer.has(metric)
      ? [...(api.get(metric) ?? []), ...(indexer.get(metric) ?? []), ...OWN_LABELS]
      : undefined;

  it('uses only metrics that the apps export', () => {
    const asked = new Set(expressions.flatMap((expression) => expression.match(METRIC) ?? []));
    expect(asked.size).toBeGreaterThan(20);
    expect([...asked].filter((metric) => labelsOf(metric) === undefined)).toEqual([]);
  });

  it('exports the metric of event clients that the autoscaler of the api asks for', async () => {
    const manifests = await renderWith('event-clients');
    const [autoscaler] = ofKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler');
    const asked = autoscaler!.spec!.metrics!.flatMap(({ pods }) => (pods ? [pods.metric.name] : []));
    expect(asked).toHaveLength(1);
    expect(asked.filter((metric) => !api.has(metric))).toEqual([]);
  });

  it('reads metrics of the api from the api, and those of the indexer from the indexer', () => {
    const wrong = expressions.flatMap((expression) =>
      [...expression.matchAll(SELECTOR)]
        .filter(([, metric, selector]) => {
          const job = /job="(\w+)"/.exec(selector!)?.[1];
          return job !== undefined && !(job === 'api' ? api : indexer).has(metric!);
        })
        .map(([selector]) => selector),
    );
    expect(wrong).toEqual([]);
  });

  it('selects by labels that the metrics have', () => {
    const wrong = expressions.flatMap((expression) =>
      [...expression.matchAll(SELECTOR)].flatMap(([selector, metric, matchers]) =>
        [...matchers!.matchAll(/(\w+)\s*[=!]/g)]
          .filter(([, label]) => !labelsOf(metric!)!.includes(label!))
          .map(([, label]) => `${label} of ${selector}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('shows every one of our metrics somewhere, and every age and every lag on the dashboard', () => {
    const named = (parts: readonly { expr: string }[]) =>
      parts.flatMap(({ expr }) => expr.match(METRIC) ?? []);
    const shown = new Set(named(panels.flatMap(({ targets = [] }) => targets)));
    const own = [...api.keys(), ...indexer.keys()].filter((name) => name.startsWith('roundhouse_'));
    const somewhere = new Set([...shown, ...named(rules)]);
    const bases = own.filter((name) => !/_(sum|count)$/.test(name));
    expect(bases.filter((name) => !somewhere.has(name))).toEqual([]);
    const ages = own.filter((name) => /_age_|_lag_/.test(name));
    expect(ages.length).toBeGreaterThan(4);
    expect(ages.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('gives every alert a severity, a meaning and an instruction', async () => {
    const runbook = await read('docs/runbook/monitoring.md');
    for (const { alert, labels, annotations } of rules) {
      expect(labels['severity']).toMatch(/^(critical|warning|info)$/);
      expect(annotations).toEqual({ summary: expect.any(String), description: expect.any(String) });
      expect(runbook).toContain(`\`${alert}\``);
    }
  });

  it('covers every alert in the test for promtool', async () => {
    const played = await read('deploy/monitoring/prometheus/roundhouse.rules.test.yml');
    for (const { alert } of rules) {
      expect([alert, played.split(`alertname: ${alert}\n`).length - 1]).toEqual([alert, 1]);
    }
  });

  it('gives every panel a title, and no panel overlaps another', () => {
    const cells = new Set<string>();
    for (const panel of panels as (Panel & { gridPos: { x: number; y: number; w: number; h: number } })[]) {
      expect(panel.title).toMatch(/\w/);
      const { x, y, w, h } = panel.gridPos;
      expect(x + w).toBeLessThanOrEqual(24);
      for (let column = x; column < x + w; column += 1) {
        for (let line = y; line < y + h; line += 1) {
          expect(cells).not.toContain(`${column}:${line}`);
          cells.add(`${column}:${line}`);
        }
      }
    }
  });
});
