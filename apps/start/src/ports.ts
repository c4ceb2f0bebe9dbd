import { createServer } from 'node:net';
import { LauncherError } from './launcher.error.js';

export interface WantedPort {
  /** The environment variable that sets the port. */
  readonly variable: string;
  readonly port: number;
  readonly host: string;
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else if (error.code === 'EACCES')
        reject(new LauncherError(`Port ${port} is reserved for root: choose one above 1023.`));
      else
        reject(
          new LauncherError(
            `Cannot listen on ${host}, port ${port} (${error.message}): set HOST to an address of this machine.`,
          ),
        );
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/** Throws `LauncherError` if two of the ports are equal or one is in use. */
export const assertPortsAreFree = async (wanted: readonly WantedPort[]): Promise<void> => {
  const ports = wanted.map(({ port }) => port);
  const twice = ports.find((port, index) => ports.indexOf(port) !== index);
  if (twice !== undefined) {
    throw new LauncherError(
      `Port ${twice} is set twice: PORT, DEVNET_PORT, OPS_PORT and OPS_PORT + 1 (the indexer's internal port) must differ.`,
    );
  }
  for (const { variable, port, host } of wanted) {
    if (await isFree(port, host)) continue;
    throw new LauncherError(
      `Port ${port} is in use: stop the program that listens there, or set ${variable} to another port.`,
    );
  }
};
