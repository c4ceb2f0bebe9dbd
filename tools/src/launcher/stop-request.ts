const PARENT_CHECK_MS = 500;

/** Aborted by Ctrl-C, by SIGTERM and, under npm, when npm has been killed and can no longer pass a signal on. */
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
