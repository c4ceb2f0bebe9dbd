import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configurationPage } from './configuration.js';
import { environmentExample } from './environment-example.js';

export interface GeneratedFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const inWorkspace = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Every file in git that is made from the sources, as it should read now. */
export const generatedFiles = async (): Promise<GeneratedFile[]> => {
  const page = inWorkspace('docs/configuration.md');
  const options = await resolveConfig(page);
  return [
    { path: page, text: await format(await configurationPage(), { ...options, filepath: page }) },
    { path: inWorkspace('.env.example'), text: await environmentExample() },
  ];
};
