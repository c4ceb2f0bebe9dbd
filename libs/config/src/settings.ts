import { readFileSync } from 'node:fs';
import type { z } from 'zod';

export interface Setting<T = unknown> {
  /** Parses the variable's text, or `undefined` if it is not set. It also holds the default. */
  readonly schema: z.ZodType<T>;
  /** One sentence for the table of settings. */
  readonly description: string;
  /** The default as the table of settings shows it. */
  readonly default: string;
  /** If true, `<NAME>_FILE` may name a file that holds the value, and the value never appears in logs. */
  readonly isSecret?: boolean;
}

export type Settings = Readonly<Record<string, Setting>>;

export type SettingsValues<S extends Settings> = { readonly [K in keyof S]: z.output<S[K]['schema']> };

/** Some environment variables are wrong; the message names all of them. */
export class SettingsError extends Error {
  readonly code = 'SETTINGS';

  constructor(readonly problems: readonly string[]) {
    super(`The settings cannot be used: ${problems.join('; ')}. docs/configuration.md lists them all.`);
    this.name = 'SettingsError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
};

/** Throws an `Error` that says what is wrong with the file, and what to do. */
const readSecret = (file: string): string => {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const problem = PROBLEMS[code] ?? `cannot be read (${code})`;
    throw new Error(`${file} ${problem}: name a file that holds the value and that this user may read`, {
      cause: error,
    });
  }
  throw new Error(`${file} is empty: write the value into it`);
};

/**
 * Reads and checks all settings. `environment` is an argument so that only `main.ts` reads `process.env`. Throws
 * `SettingsError`.
 */
export const readSettings = <S extends Settings>(
  settings: S,
  environment: Environment,
): SettingsValues<S> => {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    const file = setting.isSecret ? environment[`${name}_FILE`] : undefined;
    // Compose files pass missing variables on as empty.
    const isInFile = file !== undefined && file !== '';
    const source = isInFile ? `${name}_FILE` : name;
    try {
      const result = setting.schema.safeParse(isInFile ? readSecret(file) : environment[name]);
      if (result.success) values[name] = result.data;
      else problems.push(`${source}: ${result.error.issues.map((issue) => issue.message).join(', ')}`);
    } catch (error) {
      problems.push(`${source}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingsValues<S>;
};
