import { areBytes, copyBytes, viewOf } from './words.js';

const text = Buffer.from('0123456789abcdef'.repeat(9));
/** Begins within a larger buffer. So do the small buffers that Node.js makes. */
const part = Buffer.concat([Buffer.from('xyz'), text]).subarray(3);

describe.each([...Array(20).keys(), 34, 64, 66, 128])('%d bytes, word by word,', (length) => {
  it.each([0, 1, 2, 3])('are copied from offset %d, and no byte around them', (start) => {
    const to = Buffer.alloc(150, '-');
    const span = { start, end: start + length };
    expect(copyBytes(viewOf(part), span, viewOf(to), 5)).toBe(5 + length);
    expect(to.toString()).toBe(
      '-----' + text.toString('latin1', start, start + length) + '-'.repeat(145 - length),
    );
  });

  it('are compared up to the last byte', () => {
    const span = { start: 1, end: 1 + length };
    expect(areBytes(viewOf(part), span, viewOf(text), 1)).toBe(true);
    for (let place = 1; place <= length; place += 1) {
      const other = Buffer.from(text);
      other[place] = 0x2e;
      expect(areBytes(viewOf(part), span, viewOf(other), 1)).toBe(false);
    }
    const behind = Buffer.from(text);
    behind[length + 1] = 0x2e;
    expect(areBytes(viewOf(part), span, viewOf(behind), 1)).toBe(true);
  });
});
