import { execFileSync } from 'node:child_process';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { decodeBlock } from '@roundhouse/blocks';
import { readRecording, recordingFile } from '@roundhouse/testing';
import { newFolders } from '../folder.harness.js';
import { refusal } from '../refusal.harness.js';
import { ArchiveSource } from './archive-source.js';
import { gzipMember } from './gzip-member.js';
import { START } from './archive-file.js';

const recorded = readRecording<Record<string, unknown>>('core-2.4', 'chain.ndjson.gz');
const blocks = recorded.map(decodeBlock);
const lines = recorded.map((block) => JSON.stringify(block));
const whole = (count: number, from = 0): string => `${lines.slice(from, from + count).join('\n')}\n`;

describe('ArchiveSource', () => {
  const inFolder = newFolders();
  let file: string;
  let source: ArchiveSource;

  const open = async (content: string | Buffer): Promise<ArchiveSource> => {
    await writeFile(file, content);
    return source;
  };

  const expectRefusal = (answer: Promise<unknown>, says: string | RegExp, more = {}): Promise<void> =>
    expect(answer).rejects.toMatchObject(refusal(says, { source: `file:${file}`, ...more }));

  const textsFrom = async (from: number): Promise<string> => {
    const texts: string[] = [];
    for await (const { bytes } of source.segments(from)) texts.push(Buffer.from(bytes).toString());
    return texts.join('\n');
  };

  beforeEach(() => {
    // The name does not reveal the format.
    file = inFolder('blocks');
    source = new ArchiveSource(file);
  });

  afterEach(() => source.close());

  it('reads a recorded chain', async () => {
    const chain = new ArchiveSource(recordingFile('core-2.4', 'chain.ndjson.gz'));
    expect(await chain.tip()).toEqual({ height: 322, id: blocks.at(-1)!.id });
    expect(await chain.blocks(1, 400)).toEqual(blocks);
    expect(await chain.network()).toBeNull();
    await chain.close();
  });

  describe.each<[string, (text: string) => string | Buffer]>([
    ['plain', (text) => text],
    ['gzipped', (text) => gzipSync(text)],
    ['twice gzipped', (text) => Buffer.concat([gzipSync(text.slice(0, 5000)), gzipSync(text.slice(5000))])],
    ['plain, without a line break at the end', (text) => text.trimEnd()],
    ['plain, with Windows line ends', (text) => text.replaceAll('\n', '\r\n')],
  ])('of a %s file', (_form, pack) => {
    it('returns ranges, segments and the tip in any order of requests', async () => {
      await open(pack(whole(40)));
      expect(await source.blocks(11, 20)).toEqual(blocks.slice(10, 20));
      expect(await source.blocks(31, 99)).toEqual(blocks.slice(30, 40));
      expect(await source.blocks(1, 3)).toEqual(blocks.slice(0, 3));
      expect(await source.tip()).toEqual({ height: 40, id: blocks[39]!.id });
      expect(await source.blocks(41, 50)).toEqual([]);
      expect((await textsFrom(11)).replaceAll('\r', '')).toBe(whole(30, 10).trimEnd());
    });
  });

  it('serves concurrent callers', async () => {
    await open(gzipSync(whole(60)));
    const [late, early, tip, one, middle] = await Promise.all([
      source.blocks(41, 60),
      source.blocks(1, 20),
      source.tip(),
      source.blocks(5, 5),
      source.blocks(21, 40),
    ]);
    expect([...early, ...middle, ...late]).toEqual(blocks.slice(0, 60));
    expect([tip.height, one]).toEqual([60, [blocks[4]]]);
  });

  it('keeps the digits of amounts, as text and as numbers', async () => {
    const odd = JSON.stringify({ ...recorded[1], totalAmount: '9007199254740993', totalFee: '?' });
    await open(`${lines[0]}\n${odd.replace('"?"', '9007199254740995')}\n`);
    const [block] = await source.blocks(2, 2);
    expect([block!.totalAmount, block!.totalFee]).toEqual([9007199254740993n, 9007199254740995n]);
  });

  it('sees appended lines, each only when it is complete', async () => {
    await open(whole(5));
    expect(await source.blocks(1, 10)).toEqual(blocks.slice(0, 5));
    await appendFile(file, lines[5]!.slice(0, 100));
    expect(await source.tip()).toEqual({ height: 5, id: blocks[4]!.id });
    expect(await source.blocks(5, 10)).toEqual(blocks.slice(4, 5));
    expect(await textsFrom(5)).toBe(lines[4]);
    await appendFile(file, `${lines[5]!.slice(100)}\n${lines[6]}\n`);
    expect(await source.tip()).toEqual({ height: 7, id: blocks[6]!.id });
    expect(await source.blocks(6, 10)).toEqual(blocks.slice(5, 7));
  });

  it('reads another file that replaced it', async () => {
    await open(whole(5));
    expect(await source.tip()).toMatchObject({ height: 5 });
    await writeFile(`${file}.new`, gzipSync(whole(9)));
    await rename(`${file}.new`, file);
    expect(await source.tip()).toMatchObject({ height: 9 });
    expect(await source.blocks(1, 99)).toEqual(blocks.slice(0, 9));
  });

  it.each([
    [
      'a gap',
      [...lines.slice(0, 3), lines[4]],
      'line 4 holds height 5, but an archive begins at 1 and has no',
    ],
    ['a beginning above 1', lines.slice(1, 9), 'line 1 holds height 2, but an archive begins at 1'],
    ['a line that is not JSON', [...lines.slice(0, 3), '{"height":4,', lines[4]], 'line 4 is not JSON'],
    ['a blank line', [...lines.slice(0, 3), ' ', '', lines[3]], 'line 4 is blank, line 6 is not'],
    [
      'a link to another block',
      [...lines.slice(0, 3), JSON.stringify({ ...recorded[3], previousBlock: '7' })],
      `the block on line 4 links to 7, but the block on line 3 is ${blocks[2]!.id}`,
    ],
  ])('refuses %s and names file and line', async (_wrong, content, problem) => {
    const line = Number(/line (\d)/.exec(problem)![1]);
    for (const packed of [`${content.join('\n')}\n`, gzipSync(`${content.join('\n')}\n`)]) {
      await open(packed);
      const says = `The archive ${file} cannot be used: ${problem}`;
      await expectRefusal(source.blocks(line, 9), says, { height: line });
      expect(await source.blocks(1, line - 1)).toEqual(blocks.slice(0, line - 1));
    }
  });

  it('refuses segments that do not link to the line below them, wherever they begin', async () => {
    const cut = JSON.stringify({ ...recorded[3], previousBlock: '7' });
    await open(`${[...lines.slice(0, 3), cut, ...lines.slice(4, 9)].join('\n')}\n`);
    await expect(source.segments(4).next()).rejects.toMatchObject({ code: 'NODE_PROTOCOL', height: 4 });
    for (const from of [1, 2, 3, 5, 9]) {
      expect((await source.segments(from).next()).value).toMatchObject({ firstHeight: from });
    }
  });

  it.each(['\n', '\n\n', ' \r\n\t\n', `\n${' '.repeat(70_000)}\n`])(
    'ignores blank lines after the last block',
    async (blank) => {
      for (const packed of [`${whole(9)}${blank}`, gzipSync(`${whole(9)}${blank}`)]) {
        await open(packed);
        expect(await source.tip()).toEqual({ height: 9, id: blocks[8]!.id });
        expect(await source.blocks(1, 20)).toEqual(blocks.slice(0, 9));
        expect(await source.blocks(10, 20)).toEqual([]);
        expect(await textsFrom(1)).toBe(whole(9).trimEnd());
        await source.close();
      }
    },
  );

  it('names file, height and field of a malformed block', async () => {
    await open(`${lines[0]}\n${JSON.stringify({ ...recorded[1], reward: null })}\n"what?"\n`);
    const wrong = `file:${file} returned a block at height`;
    const reward = '"reward" is null, but must be an amount from 0 to 2^63 - 1';
    await expectRefusal(source.blocks(1, 2), `${wrong} 2 in an invalid form: ${reward}`);
    await expectRefusal(
      source.blocks(3, 3),
      `${wrong} 3 in an invalid form: it is "what?", but must be an object.`,
    );
  });

  it('refuses a truncated gzipped file every time, and never treats it as a shorter one', async () => {
    const packed = gzipSync(whole(322));
    await open(packed.subarray(0, packed.length - 2000));
    const says = new RegExp(
      `The archive ${file} cannot be used: the gzipped data is cut off or damaged at line \\d+ or later`,
    );
    for (const ask of [() => source.blocks(1, 322), () => source.blocks(1, 322), () => source.tip()])
      await expectRefusal(ask(), says);
    expect(await source.blocks(1, 20)).toEqual(blocks.slice(0, 20));
  });

  it('refuses a file without blocks, and one whose last line is not a block', async () => {
    await open('');
    await expectRefusal(source.tip(), `The archive ${file} cannot be used: it holds no block`);
    await open(`${whole(3)}what?\n`);
    await expectRefusal(source.tip(), 'its last line is not JSON');
  });

  it('refuses a file with a line that does not end', async () => {
    await open(whole(1));
    await truncate(file, 300_000_000);
    const says = /cannot be used: a line is longer than 256 MiB\. Make or fetch/;
    await expectRefusal(source.tip(), says);
    await expectRefusal(source.blocks(2, 3), says);
    const segments = source.segments(1);
    expect((await segments.next()).value).toMatchObject({ bytes: { length: lines[0]!.length } });
    await expectRefusal(segments.next(), says);
  });

  it('advises once what is faster than a file that another program has gzipped', async () => {
    const advice: string[] = [];
    const told = new ArchiveSource(file, (text) => advice.push(text));
    for (const content of [whole(3), await gzipMember(Buffer.from(whole(3)), START)]) {
      await open(content);
      expect(await told.tip()).toMatchObject({ height: 3 });
    }
    expect(advice).toEqual([]);
    for (const count of [4, 5]) {
      await open(gzipSync(whole(count)));
      expect(await told.tip()).toMatchObject({ height: count });
    }
    expect(advice).toEqual([expect.stringContaining(`unpack it ("gunzip -c ${file} > FILE")`)]);
    await told.close();
  });

  it.each(['plain', 'gzipped'])('stops reading when it is closed (%s)', async (kind) => {
    const long = `{"a":"${'x'.repeat(4_000_000)}"}\n`.repeat(4);
    await open(kind === 'plain' ? long : gzipSync(long));
    const closed = refusal('is not read further, because this source was closed', {
      name: 'NodeUnavailableError',
    });
    const segments = source.segments(1);
    await segments.next();
    const refused = expect(source.blocks(20, 20)).rejects.toMatchObject(closed);
    await source.close();
    await refused;
    await expect(segments.next()).rejects.toMatchObject(closed);
    await open(whole(2));
    expect(await source.tip()).toMatchObject({ height: 2 });
  });

  it('is unavailable, not wrong, while the file is missing', async () => {
    const gone = refusal(`The archive ${file} cannot be read`, { name: 'NodeUnavailableError' });
    await expect(source.tip()).rejects.toMatchObject(gone);
    await open(whole(2));
    expect(await source.tip()).toMatchObject({ height: 2 });
  });

  // Opening a pipe would wait for its writer, for ever.
  it.each(['mkdir', 'mkfifo'])('refuses what is no file: %s', async (make) => {
    execFileSync(make, [file]);
    const refused = refusal(
      `The archive ${file} cannot be read (it is no file): check the path in BLOCK_SOURCE and its rights.`,
      { name: 'NodeUnavailableError' },
    );
    await expect(source.tip()).rejects.toMatchObject(refused);
  });
});
