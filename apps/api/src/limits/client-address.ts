import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/** The number of proxies in front of the api, or the addresses of proxies whose X-Forwarded-For is trusted. */
export type TrustedProxies = number | readonly string[];

/** Identifies the sender of a request: its IPv4 address, or the network of its IPv6 address. */
export type ClientOf = (request: IncomingMessage) => string;

/** A client with one IPv6 address usually has its whole network. */
const IPV6_NETWORK_BITS = 64;

const MAPPED_IPV4 = '::ffff:';

/** Some proxies add the client's port. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-fA-F:.]+)\]):\d+$/;

const nameOf = (sent = ''): string | null => {
  // The zone of a link-local address.
  const [address = ''] = sent.split('%', 1);
  if (isIPv4(address)) return address;
  if (address.startsWith(MAPPED_IPV4) && isIPv4(address.slice(MAPPED_IPV4.length)))
    return address.slice(MAPPED_IPV4.length);
  if (isIPv6(address)) {
    const parsed = ipaddr.process(address);
    if (parsed.kind() === 'ipv4') return parsed.toString();
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_NETWORK_BITS}`).toString()}/${IPV6_NETWORK_BITS}`;
  }
  const [, ipv4, ipv6] = WITH_PORT.exec(address) ?? [];
  const bare = ipv4 ?? ipv6;
  return bare === undefined ? null : nameOf(bare);
};

/** Throws a `TypeError` for text that is not an address, network or name of a range. */
const isTrusted = (proxies: TrustedProxies): ((address: string, distance: number) => boolean) =>
  typeof proxies === 'number' ? (_address, distance) => distance < proxies : proxyAddr.compile([...proxies]);

/**
 * The sender of a request is the address that the outermost trusted proxy saw. Entries further left in X-Forwarded-For
 * came with the request and may be forged. Throws a `TypeError` for an invalid address.
 */
export const clientOf = (proxies: TrustedProxies): ClientOf => {
  const direct: ClientOf = ({ socket }) => nameOf(socket.remoteAddress ?? '') ?? 'unknown';
  if (proxies === 0) return direct;
  const trust = isTrusted(proxies);
  return (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return direct(request);
    return nameOf(proxyAddr(request, trust)) ?? direct(request);
  };
};
