import { createServer } from 'node:net';
import { LauncherError } from './launcher.error.js';

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else if (error.code === 'EACCES')
        reject(new LauncherError(`Port ${port} is for root alone: choose one above 1023.`));
      else
        reject(
          new LauncherError(
            `${host}:${port} cannot be listened on (${error.message}): set HOST to an address of this machine.`,
          ),
        );
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/** Throws `LauncherError` when somebody else listens on the port that `variable` sets. */
export const assertPortIsFree = async (variable: string, port: number, host = '127.0.0.1'): Promise<void> => {
  if (await isFree(port, host)) return;
  throw new LauncherError(
    `Port ${port} is in use: stop what listens there, or set ${variable} to another port.`,
  );
};
