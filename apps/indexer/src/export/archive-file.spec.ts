import {
  appendFile,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  truncate,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { ArchiveFile } from './archive-file.js';

const block = (height: number) => ({ height, id: `id-${height}` });
const line = (height: number): string => `{"height":${height}}`;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${line(from + index)}\n`).join('');

/** So small that a few lines fill a parcel. */
const PARCEL = 50;

describe('ArchiveFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-archive-file-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (name: string, isKnown = true): Promise<ArchiveFile> =>
    ArchiveFile.open(join(folder, name), async () => isKnown, PARCEL);

  const add = async (file: ArchiveFile, from: number, to: number): Promise<void> => {
    for (let height = from; height <= to; height += 1) await file.add(line(height), block(height));
  };

  const text = async (name: string): Promise<string> => {
    const bytes = await readFile(join(folder, name));
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  };

  it.each(['a.ndjson', 'a.ndjson.gz'])('continues %s where it was stopped', async (name) => {
    const first = await open(name);
    await add(first, 1, 10);
    await first.pause();
    expect(await readdir(folder)).toEqual([`${name}.part`, `${name}.part.json`]);
    const second = await open(name);
    expect(second.written).toMatchObject(block(10));
    await add(second, 11, 20);
    await second.finish();
    expect(await readdir(folder)).toEqual([name]);
    expect(await text(name)).toBe(lines(1, 20));
  });

  it.each(['a.ndjson', 'a.ndjson.gz'])(
    'writes all of %s if the disk takes a few bytes at a time',
    async (name) => {
      const handle = await openFile(join(folder, 'probe'), 'w');
      const prototype = Object.getPrototypeOf(handle) as Pick<FileHandle, 'write'>;
      await handle.close();
      const whole = prototype.write as (...args: unknown[]) => unknown;
      const write = jest.spyOn(prototype, 'write').mockImplementation(function (
        this: FileHandle,
        ...args: unknown[]
      ) {
        const [data, offset, length, position] = args as [Buffer, number, number, number];
        return whole.call(this, data, offset, Math.min(length, 7), position) as never;
      });
      try {
        const file = await open(name);
        await add(file, 1, 30);
        await file.finish();
      } finally {
        write.mockRestore();
      }
      expect(await text(name)).toBe(lines(1, 30));
    },
  );

  it('drops what a killed process wrote after the last mark', async () => {
    const first = await open('a.ndjson.gz');
    await add(first, 1, 10);
    const marked = (await open('a.ndjson.gz')).written!;
    expect(marked.height).toBeGreaterThan(1);
    expect(marked.height).toBeLessThan(10);
    await appendFile(join(folder, 'a.ndjson.gz.part'), 'half a parcel');
    const second = await open('a.ndjson.gz');
    await add(second, marked.height + 1, 12);
    await second.finish();
    expect(await text('a.ndjson.gz')).toBe(lines(1, 12));
  });

  it('starts a new file if the chain has forked or the mark cannot be read', async () => {
    const first = await open('a.ndjson');
    await add(first, 1, 10);
    await first.pause();
    expect((await open('a.ndjson', false)).written).toBeNull();
    await truncate(join(folder, 'a.ndjson.part.json'), 5);
    const second = await open('a.ndjson');
    expect(second.written).toBeNull();
    await add(second, 1, 3);
    await second.finish();
    expect(await text('a.ndjson')).toBe(lines(1, 3));
  });

  it('replaces no file, and says what is wrong with a path', async () => {
    const first = await open('a.ndjson');
    await add(first, 1, 1);
    await first.finish();
    await expect(open('a.ndjson')).rejects.toThrow(/a\.ndjson is there already/);
    await expect(open('no/such/folder/a.ndjson')).rejects.toThrow(
      /a\.ndjson\.part cannot be written \(ENOENT/,
    );
  });
});
