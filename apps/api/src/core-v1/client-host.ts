import type { IncomingMessage } from 'node:http';

/** Where a client reached the api, in the client's own words. */
export interface ClientHost {
  /** A name or an address. An IPv6 address has no brackets. */
  readonly ip: string;
  readonly port: number;
}

const PARTS = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/;

/** From the Host header, which the gate has checked. Without one, as HTTP/1.0 allows, from the connection. */
export const clientHostOf = ({ headers, socket }: IncomingMessage): ClientHost => {
  const { localAddress = '', localPort = 0 } = socket;
  const { host = '' } = headers;
  if (host === '') return { ip: localAddress.replace(/^::ffff:/, ''), port: localPort };
  const [, inBrackets, name = '', port] = PARTS.exec(host) ?? [];
  const usual = headers['x-forwarded-proto'] === 'https' ? 443 : 80;
  return { ip: inBrackets ?? name, port: port === undefined ? usual : Number(port) };
};
