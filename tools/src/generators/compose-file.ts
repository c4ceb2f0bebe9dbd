import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const COMPOSE_FILE = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));

interface Service {
  readonly environment?: Readonly<Record<string, string | null>>;
}

export interface ComposeFile {
  /** The variables that it reads from `.env`, in order of appearance. */
  readonly variables: readonly string[];
  /** The settings that it passes to each service. `<NAME>_FILE` counts as `<NAME>`. */
  readonly settingsOf: ReadonlyMap<string, ReadonlySet<string>>;
}

export const readComposeFile = (): ComposeFile => {
  const text = readFileSync(COMPOSE_FILE, 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> };
  const found: [number, string][] = [];
  for (const match of text.matchAll(/\$\{([A-Z\d_]+)|^ {6}([A-Z\d_]+):$/gm)) {
    found.push([match.index, match[1] ?? match[2] ?? '']);
  }
  const settings = Object.entries(services).map(([name, { environment = {} }]) => {
    const given = Object.keys(environment).map((variable) => variable.replace(/_FILE$/, ''));
    return [name, new Set(given)] as const;
  });
  return { variables: [...new Set(found.map(([, name]) => name))], settingsOf: new Map(settings) };
};
