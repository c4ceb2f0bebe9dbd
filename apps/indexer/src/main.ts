#!/usr/bin/env node
import { execute } from './command-line/execute.js';

try {
  // What has hung and was given up would keep the process alive.
  process.exit(await execute(process.argv.slice(2), process.env));
} catch (error) {
  // Errors with a code of our own say in their message what to do; of all others the stack is worth more.
  const { code, message, stack } = error as Error & { code?: unknown };
  console.error(typeof code === 'string' ? message : stack);
  process.exit(1);
}
