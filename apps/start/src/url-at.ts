/** The addresses at which to reach a server that listens on all addresses. */
const LOOPBACKS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL, on this machine, of a server that listens on `host`. */
export const urlAt = (host: string, port: number): string => {
  const address = LOOPBACKS[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
};
