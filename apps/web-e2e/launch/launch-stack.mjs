import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../../../tools/start.mjs', import.meta.url));

/** Below the ports that the system assigns to outgoing connections. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

const READY_MS = 180_000;

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** The first of four free ports in a row: the launcher also uses the one after OPS_PORT. */
const freePorts = async () => {
  for (;;) {
    const first = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    const row = await Promise.all([first, first + 1, first + 2, first + 3].map(isFree));
    if (row.every(Boolean)) return first;
  }
};

/** Starts `npm start` with a devnet that accepts orders. Resolves when it is ready. */
export const launchStack = async (extra = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-web-'));
  // Under root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  const port = await freePorts();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [START], {
    env: {
      PATH,
      HOME,
      DATA_DIR: folder,
      PORT: String(port),
      DEVNET_PORT: String(port + 1),
      OPS_PORT: String(port + 2),
      DEVNET_CONTROL: 'true',
      ...extra,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let output = '';
  const ready = new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      if (output.includes('Ready.')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The stack ended:\n${output}`)));
    globalThis.setTimeout(() => reject(new Error(`The stack is not ready:\n${output}`)), READY_MS).unref();
  });
  await ready.catch(async (error) => {
    await stop();
    throw error;
  });
  return { url: `http://127.0.0.1:${port}`, devnetUrl: `http://127.0.0.1:${port + 1}`, stop };
};
