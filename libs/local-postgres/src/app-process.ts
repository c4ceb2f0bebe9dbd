import { fileURLToPath } from 'node:url';
import { LocalProcess, type LocalProcessOptions } from './local-process.js';

export type AppName = 'devnet' | 'indexer' | 'api';

export interface LogLine {
  readonly msg?: unknown;
  readonly [field: string]: unknown;
}

/** The compiled program of an app. */
export const appMain = (app: AppName): string =>
  fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url));

/** Runs `<app> <command>` with nothing in its environment except the given variables. */
export class AppProcess extends LocalProcess {
  constructor(
    app: AppName,
    command: readonly string[],
    environment: NodeJS.ProcessEnv,
    options?: Omit<LocalProcessOptions, 'environment'>,
  ) {
    super(process.execPath, [appMain(app), ...command], { ...options, environment });
  }

  /** The log so far. */
  get lines(): readonly LogLine[] {
    const complete = this.output.stdout.split('\n').slice(0, -1);
    return complete.map((line) => JSON.parse(line) as LogLine);
  }
}
