/** Where one asks a server that listens on all addresses. */
const LOOPBACKS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL at which a server that listens on `host` answers on this machine. */
export const urlAt = (host: string, port: number): string => {
  const address = LOOPBACKS[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
};
