import { isMainThread, Worker } from 'node:worker_threads';

// Loaded into every app that the launcher starts, before the app itself: when the launcher is gone, however it went,
// the channel to it closes and the app stops as it does on SIGTERM.
const SHUTDOWN_MS = 10_000;

/** In a thread of its own: an app whose own loop is kept busy by a lost database ends all the same. */
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
