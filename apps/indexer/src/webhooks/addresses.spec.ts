import { addressRangeOf, isListed, isPublicAddress } from './addresses.js';

describe('addresses of receivers', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '240.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    'x',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '9.9.9.9', '172.32.0.1', '::ffff:9.9.9.9', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it('are listed by themselves or by a range, also inside IPv6', () => {
    const ranges = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'].map((text) => addressRangeOf(text)!);
    expect(
      ['127.0.0.1', '::ffff:127.0.0.1', '10.255.0.1', 'fd12::1'].every((each) => isListed(ranges, each)),
    ).toBe(true);
    expect(['127.0.0.2', '11.0.0.1', '::1', undefined, 'x'].some((each) => isListed(ranges, each))).toBe(
      false,
    );
    expect(['', 'localhost', '10.0.0.0/33', '127.*'].map(addressRangeOf)).toEqual([null, null, null, null]);
  });
});
