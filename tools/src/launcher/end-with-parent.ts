// Loaded into every app that the launcher starts, before the app itself: when the launcher is gone, however it went,
// the channel to it closes and the app stops as it does on SIGTERM.
const SHUTDOWN_MS = 10_000;

process.channel?.unref();
process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
});
