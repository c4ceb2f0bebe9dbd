import { createServer } from 'node:net';

/** Below the ports that the system uses for outgoing connections. */
const FIRST = 20_000;
const LAST = 32_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** Finds this many consecutive free ports. A program can use its port again after a restart. */
export const freePorts = async (count: number): Promise<number[]> => {
  for (;;) {
    const first = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const row = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(row.map(isFree))).every(Boolean)) return row;
  }
};

export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
