import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientOf } from './client-address.js';

describe('the client of a request', () => {
  it.each([0, 1])('has a name even if the connection is gone (behind %i proxies)', (proxies) => {
    const headers = { 'x-forwarded-for': 'x' };
    const gone = { headers, socket: { remoteAddress: '' } } as unknown as IncomingMessage;
    expect(clientOf(proxies)(gone)).toBe('unknown');
  });

  it.each<[string, number | readonly string[], string | undefined]>([
    ['that is gone', ['127.0.0.1'], undefined],
    ['with a zone', 0, 'fe80::1%eth0.100'],
    ['with a zone, behind a proxy', 1, 'fe80::1%a-b'],
  ])('has a name for an address %s', (_, proxies, remoteAddress) => {
    const headers = { 'x-forwarded-for': 'fe80::1%a-b' };
    const sent = { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
    expect(clientOf(proxies)(sent)).toBe(remoteAddress === undefined ? 'unknown' : 'fe80::/64');
  });

  it.each(['nowhere', '1.2.3.4/99', ''])(
    'cannot be determined if %p is configured as a trusted proxy',
    (address) => {
      expect(() => clientOf([address])).toThrow(TypeError);
    },
  );
});
