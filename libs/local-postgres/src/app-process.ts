import { fileURLToPath } from 'node:url';
import { LocalProcess, type LocalProcessOptions } from './local-process.js';

export type AppName = 'devnet' | 'indexer' | 'api';

export interface LogLine {
  readonly msg?: unknown;
  readonly [field: string]: unknown;
}

type AppOptions = Omit<LocalProcessOptions, 'environment'>;

const pathOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The compiled program of an app. */
export const appMain = (app: AppName): string => pathOf(`apps/${app}/dist/main.js`);

/** From version 22 on, Node keeps compiled modules there: the next process starts with two thirds of the processor time. */
const NODE_COMPILE_CACHE = pathOf('node_modules/.cache/compiled');

/** Runs `<app> <command>` with nothing else in its environment except the given variables. */
export class AppProcess extends LocalProcess {
  constructor(
    app: AppName,
    command: readonly string[],
    environment: NodeJS.ProcessEnv,
    options?: AppOptions,
  ) {
    super(process.execPath, [appMain(app), ...command], {
      ...options,
      environment: { NODE_COMPILE_CACHE, ...environment },
    });
  }

  /** The log so far. */
  get lines(): readonly LogLine[] {
    const complete = this.output.stdout.split('\n').slice(0, -1);
    return complete.map((line) => JSON.parse(line) as LogLine);
  }
}

/** Runs a command of an app to its end. Throws with its stderr if it fails. */
export const runApp = async (
  app: AppName,
  command: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  options?: AppOptions,
): Promise<void> => {
  const { code, stderr } = await new AppProcess(app, command, environment, options).ended;
  if (code !== 0) throw new Error(`"${app} ${command.join(' ')}" ended with ${code}: ${stderr}`);
};
