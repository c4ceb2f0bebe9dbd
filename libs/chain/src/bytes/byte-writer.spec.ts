import { ByteWriter } from './byte-writer.js';

/** How many bytes a writer holds before it needs larger memory. */
const FIRST_ROOM = 1024;

describe('ByteWriter', () => {
  it.each<[string, (writer: ByteWriter) => ByteWriter, string]>([
    ['u8', (writer) => writer.u8(0xab), 'ab'],
    ['u16', (writer) => writer.u16(0xabcd), 'cdab'],
    ['u32', (writer) => writer.u32(0xabcdef01), '01efcdab'],
    ['u64', (writer) => writer.u64(2n ** 64n - 2n), 'feffffffffffffff'],
    ['zeros', (writer) => writer.zeros(3), '000000'],
    ['hex', (writer) => writer.hex('abcd'), 'abcd'],
    ['bytes', (writer) => writer.bytes(Buffer.of(7, 8)), '0708'],
    ['utf8', (writer) => writer.utf8('ü'), 'c3bc'],
    ['short', (writer) => writer.short(Buffer.of(7, 8)), '020708'],
  ])('%s writes its bytes, also where they no longer fit into its memory', (_, write, hex) => {
    const before = 'ef'.repeat(FIRST_ROOM);
    for (let place = FIRST_ROOM - 9; place <= FIRST_ROOM; place += 1) {
      const writer = new ByteWriter().begin().hex(before.slice(0, 2 * place));
      expect(write(writer).u8(1).result().toString('hex')).toBe(`${before.slice(0, 2 * place)}${hex}01`);
    }
  });

  it.each(['abc', 'zz', 'abzz', 'a'])('refuses %s in place of hexadecimal text', (text) => {
    expect(() => new ByteWriter().begin().hex(text)).toThrow('has a text that is not hexadecimal');
  });
});
