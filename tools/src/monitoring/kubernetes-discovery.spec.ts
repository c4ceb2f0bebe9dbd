import { readFile } from 'node:fs/promises';
import type { IPodTemplateSpec } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { z } from 'zod';
import { deployed, render } from '../kubernetes/render.js';
import { workloadsOf } from '../kubernetes/workloads.js';

const label = z.tuple([z.string()]);

/** The parts of Prometheus' configuration that we use. Anything else is rejected, so that nothing stays unchecked. */
const configuration = z.strictObject({
  global: z.record(z.string(), z.string()),
  rule_files: z.array(z.string()),
  scrape_configs: z.tuple([
    z.strictObject({
      job_name: z.string(),
      kubernetes_sd_configs: z.tuple([z.strictObject({ role: z.literal('pod') })]),
      relabel_configs: z.array(
        z.union([
          z.strictObject({ source_labels: label, regex: z.string(), action: z.literal('keep') }),
          z.strictObject({ source_labels: label, target_label: z.string() }),
        ]),
      ),
    }),
  ]),
});

type Labels = Readonly<Record<string, string>>;

const named = (prefix: string, values: Labels = {}): Labels =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${prefix}_${name.replace(/\W/g, '_')}`, value]),
  );

/** The labels that Prometheus gives each port of a pod before our rules change them. */
const targetsOf = ({ metadata, spec }: IPodTemplateSpec): Labels[] =>
  spec!.containers.flatMap(({ ports = [] }) =>
    ports.map(({ name = '' }) => ({
      __meta_kubernetes_pod_name: 'a-pod',
      ...named('__meta_kubernetes_pod_label', metadata?.labels),
      ...named('__meta_kubernetes_pod_annotation', metadata?.annotations),
      __meta_kubernetes_pod_container_port_name: name,
    })),
  );

describe('Prometheus in a cluster', () => {
  it('scrapes the internal port of each program, under the names that rules and dashboard use', async () => {
    const text = await readFile(deployed('../monitoring/prometheus/prometheus.kubernetes.yml'), 'utf8');
    const [{ relabel_configs: rules }] = configuration.parse(parse(text)).scrape_configs;
    const relabelled = (target: Labels): Labels | null => {
      let labels = target;
      for (const rule of rules) {
        const value = labels[rule.source_labels[0]] ?? '';
        if ('target_label' in rule) labels = { ...labels, [rule.target_label]: value };
        else if (!new RegExp(`^(?:${rule.regex})$`).test(value)) return null;
      }
      return labels;
    };
    const workloads = workloadsOf(await render(deployed('overlays/production')));
    const taken = workloads
      .flatMap(({ pod }) => targetsOf(pod))
      .map(relabelled)
      .filter((labels) => labels !== null);
    expect(taken.map(({ job, instance }) => ({ job, instance }))).toEqual([
      { job: 'api', instance: 'a-pod' },
      { job: 'indexer', instance: 'a-pod' },
    ]);
  });
});
