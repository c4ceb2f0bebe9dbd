import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientOf, type TrustedProxies } from './client-address.js';

const PROXY = '192.0.2.1';

const client = (proxies: TrustedProxies, forwarded?: string, remoteAddress: string | undefined = PROXY) =>
  clientOf(proxies)({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  } as unknown as IncomingMessage);

describe('the client of a request', () => {
  it.each<[TrustedProxies, string | undefined, string]>([
    [0, undefined, PROXY],
    [0, '203.0.113.7', PROXY],
    [1, undefined, PROXY],
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '10.9.9.9, 203.0.113.7', '203.0.113.7'],
    [1, '192.0.2.1, 192.0.2.1, 203.0.113.7', '203.0.113.7'],
    [2, '10.9.9.9, 203.0.113.7, 192.0.2.2', '203.0.113.7'],
    [2, '10.9.9.9,203.0.113.7,192.0.2.2', '203.0.113.7'],
    [2, '203.0.113.7', '203.0.113.7'],
    [['192.0.2.0/24'], '10.9.9.9, 203.0.113.7, 192.0.2.2', '203.0.113.7'],
    [['192.0.2.9'], '203.0.113.7', PROXY],
    [['192.0.2.1'], '192.0.2.1, 203.0.113.7', '203.0.113.7'],
  ])('with the trusted proxies %j and X-Forwarded-For %p is %s', (proxies, forwarded, expected) => {
    expect(client(proxies, forwarded)).toBe(expected);
  });

  it.each([
    ['203.0.113.7:5501', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:DB8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::6', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
  ])('%s is known as %s', (address, expected) => {
    expect(client(1, address)).toBe(expected);
    expect(client(0, undefined, address)).toBe(expected);
  });

  it.each([
    'unknown',
    '_hidden',
    'x'.repeat(9000),
    '1',
    '999.1.1.1',
    '1.2.3',
    ',',
    ' ',
    '::1::',
    '[',
    '\u{1f600}',
  ])('is the connected address if %p is forwarded, which is not an address', (forwarded) => {
    expect(client(1, forwarded)).toBe(PROXY);
  });

  it('has a name even if the connection is gone', () => {
    expect(client(0, undefined, '')).toBe('unknown');
    expect(client(1, 'x', '')).toBe('unknown');
  });

  it.each(['nowhere', '1.2.3.4/99', ''])(
    'cannot be determined if %p is configured as a trusted proxy',
    (address) => {
      expect(() => clientOf([address])).toThrow(TypeError);
    },
  );
});
