import { execFileSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readTarIndex, type TarIndex } from './tar.js';

const BLOCK = 512;
const TAR_END = Buffer.alloc(2 * BLOCK);

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** A header as POSIX describes it, and GNU tar for a size from 8 GiB on. */
const tarHeader = (name: string, size: number): Buffer => {
  const header = Buffer.alloc(BLOCK);
  header.write(name);
  header.write('0000644\0' + '0000000\0' + '0000000\0', 100);
  if (size < 8 ** 11) header.write(octal(size, 11), 124);
  else {
    header.writeUInt32BE(0x80_00_00_00, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(octal(0, 11), 136);
  header.write(' '.repeat(8) + '0', 148);
  header.write('ustar\x0000', 257);
  header.write(
    `${octal(
      header.reduce((total, byte) => total + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return header;
};

const tarEntry = (name: string, chunks: readonly Buffer[]): Buffer[] => {
  const bytes = Buffer.concat(chunks);
  return [tarHeader(name, bytes.length), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
};

describe('a tar archive', () => {
  let folder: string;
  let path: string;

  const first = Buffer.alloc(BLOCK, 'a');
  const second = [Buffer.from('b'), Buffer.from('cd')];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-tar-'));
    path = join(folder, 'x.tar');
  });
  beforeEach(() =>
    writeFile(path, Buffer.concat([...tarEntry('one/a', [first]), ...tarEntry('b', second), TAR_END])),
  );
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const index = async (): Promise<TarIndex> => {
    const file = await open(path);
    try {
      return await readTarIndex(file);
    } finally {
      await file.close();
    }
  };

  it('is extracted by tar', async () => {
    execFileSync('tar', ['-xf', path, '-C', folder]);
    expect(await readFile(join(folder, 'one', 'a'))).toEqual(first);
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('bcd');
  });

  it('is listed with the places of its files, also if tar wrote it', async () => {
    const entries = [
      { name: 'one/a', at: BLOCK, size: BLOCK },
      { name: 'b', at: 3 * BLOCK, size: 3 },
    ];
    expect(await index()).toEqual({ kind: 'whole', entries });
    execFileSync('tar', ['-xf', path, '-C', folder]);
    for (const format of ['ustar', 'gnu']) {
      execFileSync('tar', [`--format=${format}`, '-cf', path, '-C', folder, 'one/a', 'b']);
      expect(await index()).toEqual({ kind: 'whole', entries });
    }
  });

  it.each([0, 100, BLOCK, BLOCK + 5, 2 * BLOCK, 3 * BLOCK + 1, 4 * BLOCK, 6 * BLOCK - 1])(
    'that was cut off at byte %i is recognised',
    async (bytes) => {
      await truncate(path, bytes);
      expect(await index()).toEqual({ kind: 'truncated', at: bytes });
    },
  );

  it('with a wrong byte in a header, after a file or at the end is recognised, wherever it is', async () => {
    const bytes = await readFile(path);
    const isInFile = (at: number): boolean =>
      (at >= BLOCK && at < 2 * BLOCK) || (at >= 3 * BLOCK && at < 3 * BLOCK + 3);
    const file = await open(path, 'r+');
    try {
      for (let at = 0; at < bytes.length; at += 1) {
        if (isInFile(at)) continue;
        await file.write(Buffer.of(bytes[at]! ^ 0x10), 0, 1, at);
        expect([at, (await readTarIndex(file)).kind]).toEqual([at, 'damaged']);
        await file.write(bytes, at, 1, at);
      }
      expect((await readTarIndex(file)).kind).toBe('whole');
    } finally {
      await file.close();
    }
  });

  it('with a file of 8 GiB or more is listed, and tar reads the same', async () => {
    const sizes = [8 ** 11 - 1, 8 ** 11];
    const file = await open(path, 'w');
    let at = 0;
    const write = async (bytes: Buffer): Promise<void> => void (await file.write(bytes, 0, bytes.length, at));
    try {
      for (const [place, size] of sizes.entries()) {
        await write(tarHeader(`${place}`, size));
        at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
      }
      await write(TAR_END);
    } finally {
      await file.close();
    }
    const found = await index();
    expect(found.kind === 'whole' && found.entries.map(({ size }) => size)).toEqual(sizes);
    const listed = execFileSync('tar', ['-tvf', path]).toString();
    for (const size of sizes) expect(listed).toContain(` ${size} `);
  });

  it('whose header has a negative size is recognised', async () => {
    const bytes = await readFile(path);
    // The sum of the digits "0" and of "-" differ by 3, so the checksum is right again if another digit is larger by 3.
    bytes.write('-', 124);
    bytes.write('3', 100);
    await writeFile(path, bytes);
    expect(await index()).toEqual({ kind: 'damaged', at: 0 });
  });
});
