import { fileURLToPath } from 'node:url';

export type AppName = 'devnet' | 'indexer' | 'api';

/** The compiled program of an app. */
export const appMain = (app: AppName): string =>
  fileURLToPath(new URL(`../../apps/${app}/dist/main.js`, import.meta.url));
