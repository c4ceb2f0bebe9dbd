import ipaddr from 'ipaddr.js';

/** An address, and how many of its bits count. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** An address, or a range such as `10.0.0.0/8`; null for other text. */
export const addressRangeOf = (text: string): AddressRange | null => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

/** Whether an address is in one of the ranges. An IPv4 address inside IPv6 counts as itself. */
export const isListed = (ranges: readonly AddressRange[], address: string | undefined): boolean => {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => range[0].kind() === parsed.kind() && parsed.match([...range]));
};

/** The part of IPv6 that is given to networks. */
const GLOBAL_IPV6: AddressRange = ipaddr.parseCIDR('2000::/3');

/** Whether an address belongs to the public internet: not to this machine, its networks, or a translation into them. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match([...GLOBAL_IPV6]));
};
