import { launchStack } from './launch-stack.mjs';

/** One stack for the whole run. */
export default async () => {
  const stack = await launchStack();
  globalThis.roundhouseStack = stack;
  process.env.WEB_E2E_URL = stack.url;
  process.env.WEB_E2E_DEVNET_URL = stack.devnetUrl;
};
