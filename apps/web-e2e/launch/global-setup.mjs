import '../../../tools/compile.mjs';

// Loaded only now: it is compiled by the line above.
const { LaunchedStack } = await import('@roundhouse/testing');

/** One stack for the whole run, with a devnet that accepts orders. */
export default async () => {
  const stack = await LaunchedStack.start({ DEVNET_CONTROL: 'true', HISTORY: 'full' });
  globalThis.roundhouseStack = stack;
  process.env.WEB_E2E_URL = stack.url;
  process.env.WEB_E2E_DEVNET_URL = stack.devnetUrl;
};
