/** A smaller difference comes from the network and from the Date header, which is rounded to a second. */
const NEGLIGIBLE_MS = 2000;

let offsetMs = 0;

/** Learns from a response how much this machine's clock differs from the server's. */
export const learnClock = ({ headers }: Response): void => {
  const date = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(date)) return;
  const offset = date + 500 - Date.now();
  offsetMs = Math.abs(offset) < NEGLIGIBLE_MS ? 0 : offset;
};

/** Milliseconds since 1970 by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
