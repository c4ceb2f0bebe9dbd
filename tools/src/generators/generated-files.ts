import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { withFigures, type Results } from '../bench/figures.js';
import { loadApiDocuments } from './api-document.js';
import { clientTypes, coreV2Types } from './client-types.js';
import { configurationPage } from './configuration.js';
import { environmentExample } from './environment-example.js';
import { prometheusRule } from './prometheus-rule.js';

export interface GeneratedFile {
  /** An absolute path. */
  readonly path: string;
  readonly text: string;
}

export const inWorkspace = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const formatted = async (path: string, text: string): Promise<GeneratedFile> => {
  const options = await resolveConfig(path);
  return { path, text: await format(text, { ...options, filepath: path }) };
};

/** The page with the newest figures of `npm run bench`. */
const performancePage = async (path: string): Promise<GeneratedFile> => {
  const results = JSON.parse(await readFile(inWorkspace('bench/results/latest.json'), 'utf8')) as Results;
  return formatted(path, withFigures(await readFile(path, 'utf8'), results));
};

/** The files in git that are generated from the sources and the figures, with the text that they should have now. */
export const generatedFiles = async (): Promise<GeneratedFile[]> => {
  const { contract, coreV2 } = await loadApiDocuments();
  return [
    await formatted(inWorkspace('docs/configuration.md'), await configurationPage()),
    await performancePage(inWorkspace('docs/performance.md')),
    { path: inWorkspace('.env.example'), text: await environmentExample() },
    await formatted(inWorkspace('docs/openapi.json'), JSON.stringify(contract)),
    await formatted(inWorkspace('libs/client/src/generated/api.ts'), clientTypes(contract)),
    await formatted(inWorkspace('libs/client/src/generated/core-v2.ts'), coreV2Types(coreV2)),
    await formatted(
      inWorkspace('deploy/kubernetes/components/prometheus-operator/rules.yaml'),
      await prometheusRule(inWorkspace('deploy/monitoring/prometheus/roundhouse.rules.yml')),
    ),
  ];
};
