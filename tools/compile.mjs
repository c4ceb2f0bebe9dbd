// Compiles what has changed. It uses only Node's own modules, so that it can report missing packages.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const stop = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 20))
  stop(`Node ${process.versions.node} is too old: use 20.20 or newer.`);
if (!existsSync(path('../node_modules/typescript/package.json')))
  stop('The packages are not installed: run npm ci first.');

// In a process of its own: the compiler's memory is free again when the launcher runs.
const { status, signal } = spawnSync(process.execPath, [path('build.mjs')], {
  cwd: path('..'),
  stdio: 'inherit',
});
if (signal !== null) stop(`The compiler ended by itself (${signal}): run the same command again.`);
if (status !== 0) stop('The sources do not compile: see the messages of the compiler above.');
