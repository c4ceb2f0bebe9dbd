import { AddressBook, addressOf, decodeBase58Check, addressOfBytes } from './address.js';

// A delegate of a recorded Core 2.4 chain.
const PUBLIC_KEY = '03e0ee0a139097fd61c6a18f35c81cfdec7642a547db9e14ac51dce6eca35fcf59';
const ADDRESS = 'ARJJ57TDQ2nbaoF3uBkdnScvsCFfARhu1n';

describe('addresses', () => {
  it('match what a real node shows for the key', () => {
    expect(addressOf(PUBLIC_KEY, 23)).toBe(ADDRESS);
  });

  it('begin with the network byte', () => {
    expect(addressOf(PUBLIC_KEY, 30)).toMatch(/^D/);
    expect(decodeBase58Check(ADDRESS)?.[0]).toBe(23);
  });

  it('are cached, and dropped beyond the capacity', () => {
    const book = new AddressBook(23, 1);
    expect(book.addressOf(PUBLIC_KEY)).toBe(ADDRESS);
    expect(book.addressOf(PUBLIC_KEY.replace(/^03/, '02'))).not.toBe(ADDRESS);
    expect(book.addressOf(PUBLIC_KEY)).toBe(ADDRESS);
  });

  it.each(['', '1', ADDRESS.replace('J', 'K'), `${ADDRESS}1`, ADDRESS.replace('A', '0')])(
    'rejects a wrong checksum or digit: %j',
    (text) => {
      expect(decodeBase58Check(text)).toBeNull();
    },
  );

  it('keep leading zero bytes', () => {
    const bytes = Buffer.from([0, 0, 1, 2]);
    expect(addressOfBytes(bytes)).toMatch(/^11[^1]/);
    expect(decodeBase58Check(addressOfBytes(bytes))).toEqual(bytes);
  });
});
