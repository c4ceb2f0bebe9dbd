import { fileURLToPath } from 'node:url';

/** The compiled program of an app. */
export const appMain = (app: 'devnet' | 'indexer' | 'api'): string =>
  fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url));
