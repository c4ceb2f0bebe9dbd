import { isMainThread, Worker } from 'node:worker_threads';

// Loaded into every app before the app itself. When the launcher is gone, however it ended, the IPC channel closes
// and the app stops as on SIGTERM.
const SHUTDOWN_MS = 10_000;

/** Runs in a separate thread, so that an app ends even if its event loop is blocked by a lost database. */
const WATCH = `
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${SHUTDOWN_MS});
  }, 500);
`;

if (isMainThread) {
  process.channel?.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  new Worker(WATCH, { eval: true, execArgv: [] }).unref();
}
