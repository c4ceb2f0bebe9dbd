/** Below it a difference is the second that the header Date is rounded to, and the way. */
const NEGLIGIBLE_MS = 2000;

let offsetMs = 0;

/** Learns from a response how far this machine's clock is off the server's. */
export const learnClock = ({ headers }: Response): void => {
  const date = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(date)) return;
  const offset = date + 500 - Date.now();
  offsetMs = Math.abs(offset) < NEGLIGIBLE_MS ? 0 : offset;
};

/** Milliseconds since 1970 by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
