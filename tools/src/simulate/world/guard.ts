import { spawn } from 'node:child_process';

/** Its stdin is a pipe from us: when we end, however we end, it reads the end of file and ends the process, stopped or not. */
const SCRIPT = 'read -r line; kill -KILL "$1"';

/** Sees to it that a process does not outlive this one; call what it gives when the process has ended. */
export const guard = (pid: number): (() => void) => {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  return () => void shell.kill('SIGKILL');
};
