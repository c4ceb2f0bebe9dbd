import { createServer } from 'node:net';
import { LauncherError } from './launcher.error.js';

export interface WantedPort {
  /** What sets it. */
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
        reject(new LauncherError(`Port ${port} is for root alone: choose one above 1023.`));
      else
        reject(
          new LauncherError(
            `${host}, port ${port}, cannot be listened on (${error.message}): set HOST to an address of this machine.`,
          ),
        );
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/** Throws `LauncherError` when two of the ports are one, or somebody else listens on one of them. */
export const assertPortsAreFree = async (wanted: readonly WantedPort[]): Promise<void> => {
  const ports = wanted.map(({ port }) => port);
  const twice = ports.find((port, index) => ports.indexOf(port) !== index);
  if (twice !== undefined) {
    throw new LauncherError(
      `Port ${twice} is set twice: PORT, DEVNET_PORT, OPS_PORT and the port after OPS_PORT, the indexer's, must differ.`,
    );
  }
  for (const { variable, port, host } of wanted) {
    if (await isFree(port, host)) continue;
    throw new LauncherError(
      `Port ${port} is in use: stop what listens there, or set ${variable} to another port.`,
    );
  }
};
