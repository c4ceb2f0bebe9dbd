import { readFile } from 'node:fs/promises';

const HEADER = `# Generated from deploy/monitoring/prometheus/roundhouse.rules.yml by npm run generate. Change that file.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: roundhouse
  labels:
    app.kubernetes.io/name: roundhouse
spec:
`;

/** The alert rules as the resource that the Prometheus operator reads. `path` is the file with the rules. */
export const prometheusRule = async (path: string): Promise<string> =>
  HEADER + (await readFile(path, 'utf8')).replace(/^(?=.)/gm, '  ');
