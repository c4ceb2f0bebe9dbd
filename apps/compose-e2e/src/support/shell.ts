import { execFile, type ExecFileException } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of docker-compose.yml. */
export const WORKSPACE = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Runs a program in the workspace and returns its output. If it fails, throws an error with everything that it wrote.
 */
export const run = (
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string): void => {
      if (!error) return resolve(stdout.trim());
      reject(new Error(`${command} ${args.join(' ')}: ${error.message}\n${stdout}\n${stderr}`.slice(-8000)));
    };
    const env = { ...process.env, ...environment };
    execFile(command, args, { cwd: WORKSPACE, env, maxBuffer: 1e8, encoding: 'utf8' }, done);
  });

/** The non-empty lines of a text. */
export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
