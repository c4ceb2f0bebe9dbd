import { spawn } from 'node:child_process';

/**
 * Its stdin is a pipe from this process. When this process ends, however it ends, the pipe closes and the guard kills
 * the guarded process, even if that one is stopped.
 */
const SCRIPT = 'read -r line; kill -KILL "$1"';

/** Makes sure that a process does not outlive this one. Call the returned function when the process has ended. */
export const guard = (pid: number): (() => void) => {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  return () => void shell.kill('SIGKILL');
};
