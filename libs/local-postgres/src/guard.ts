import { spawn } from 'node:child_process';

/**
 * Its stdin is a pipe from this process. When this process ends, however it ends, the pipe closes, and the guard sends
 * the signals until the guarded process is gone, 10 s for each; a stopped process goes on to receive them.
 */
const SCRIPT = `pid=$1; shift
read -r line
for signal; do
  kill -s "$signal" "$pid" && kill -s CONT "$pid"
  for second in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$pid" || exit 0
    sleep 1
  done
done`;

/** Makes sure that a process does not outlive this one. Call the returned function when the process has ended. */
export const guard = (pid: number, signals: readonly NodeJS.Signals[]): (() => void) => {
  const names = signals.map((signal) => signal.replace('SIG', ''));
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', String(pid), ...names], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as { unref?: () => void }).unref?.();
  return () => void shell.kill('SIGKILL');
};
