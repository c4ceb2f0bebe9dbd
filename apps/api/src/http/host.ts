import type { IncomingMessage } from 'node:http';

/** A name, an IPv4 or an IPv6 address (RFC 3986, section 3.2.2), with or without a port; it may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** A name and its value in turn. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
};

/** Whether a request says once which host it is for (RFC 9112, section 3.2); HTTP/1.0 need not say it. */
export const hasFitHost = ({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean => {
  const { host } = headers;
  if (host === undefined) return httpVersion !== '1.1';
  return HOST.test(host) && countHosts(rawHeaders) === 1;
};
