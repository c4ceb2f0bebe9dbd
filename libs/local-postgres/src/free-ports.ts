import { createServer } from 'node:net';

/** Below the ports that the system uses for outgoing connections. */
const FIRST = 20_000;
const LANES = 16;
const LANE = 750;

/** A port is taken later than it is found, so processes that run at the same time look in different places. */
const lane = FIRST + (process.pid % LANES) * LANE;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** Finds this many consecutive free ports. A program can use its port again after a restart. */
export const freePorts = async (count: number): Promise<number[]> => {
  for (;;) {
    const first = lane + Math.floor(Math.random() * (LANE - count));
    const row = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(row.map(isFree))).every(Boolean)) return row;
  }
};

export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
