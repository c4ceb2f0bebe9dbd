// Compiles what has changed. It uses only Node's own modules, so that it can report missing packages.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const compiler = path('../node_modules/typescript/bin/tsc');

const stop = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 20))
  stop(`Node ${process.versions.node} is too old: use 20.20 or newer.`);
if (!existsSync(compiler)) stop('The packages are not installed: run npm ci first.');

/** `npm run types` checks the types; checking them here would slow down the first start. */
const compile = () => {
  const isFirst = !existsSync(path('dist/launch.js'));
  if (isFirst) console.log('Compiling, once …');
  return (
    spawnSync(process.execPath, [compiler, '-b', '--noCheck'], { cwd: path('..'), stdio: 'inherit' })
      .status === 0
  );
};

if (!compile()) stop('The sources do not compile: see the messages of the compiler above.');
