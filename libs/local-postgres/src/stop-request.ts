const PARENT_CHECK_MS = 500;

/**
 * Returns a signal that is aborted by Ctrl-C, SIGTERM or SIGHUP. Under npm it is also aborted when npm is killed and
 * cannot forward signals.
 */
export const stopRequest = (isUnderNpm: boolean): AbortSignal => {
  const controller = new AbortController();
  const ask = (): void => controller.abort(new Error('asked to stop'));
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  process.on('SIGHUP', ask);
  if (isUnderNpm) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && ask(), PARENT_CHECK_MS).unref();
  }
  return controller.signal;
};
