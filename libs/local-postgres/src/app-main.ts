import { fileURLToPath } from 'node:url';

export type AppName = 'devnet' | 'indexer' | 'api';

/** The compiled program of an app. */
export const appMain = (app: AppName): string =>
  fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url));

/** Loaded before an app, it ends the app with the process that started it. */
export const END_WITH_PARENT = new URL('../dist/end-with-parent.js', import.meta.url).href;
