import type { Setting, Settings } from '@roundhouse/config';
import { composeSettings } from './compose.config.js';
import { readComposeFile } from './compose-file.js';
import { listPrograms } from './programs.js';

const INTRODUCTION = `# Made by npm run generate from docker-compose.yml. Copy it to .env, which docker compose reads, and take the # away
# where another value than the default is wanted. Nothing has to be set with --profile devnet; without it, BLOCK_SOURCE.
`;

const note = (programs: readonly string[], { description, default: otherwise }: Setting): string =>
  `# ${programs.join(', ')}: ${description} (Default: ${otherwise})`.replaceAll('`', '');

/** .env.example: every variable that docker-compose.yml takes, with what each program takes it for. */
export const environmentExample = async (): Promise<string> => {
  const programs = (await listPrograms()).filter(({ name }) => name !== '`npm start`');
  const entries = readComposeFile().variables.map((variable) => {
    const own = composeSettings as Settings;
    if (own[variable]) return `${note(['docker compose'], own[variable])}\n# ${variable}=\n`;
    const notes = new Map<string, [string[], Setting]>();
    for (const { name, settings } of programs) {
      const setting = settings[variable];
      if (!setting) continue;
      const [of] = notes.get(setting.description) ?? [[]];
      notes.set(setting.description, [[...of, name], setting]);
    }
    if (notes.size === 0) throw new Error(`docker-compose.yml takes ${variable}, which nobody describes.`);
    return `${[...notes.values()].map((each) => note(...each)).join('\n')}\n# ${variable}=\n`;
  });
  return [INTRODUCTION, ...entries].join('\n');
};
