import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeChain } from '@roundhouse/testing';
import { DevnetError } from '../devnet.error.js';
import { makeFolder } from '../devnet.harness.js';
import { BlockLog } from './block-log.js';
import { toRawBlock, type RawBlock } from './raw-block.js';

describe('BlockLog', () => {
  const blocks = makeChain({}, 8).blocks.map(toRawBlock);
  let folder: ReturnType<typeof makeFolder>;
  let path: string;

  const reopen = (): { log: BlockLog; seen: RawBlock[] } => {
    const seen: RawBlock[] = [];
    return { log: BlockLog.open(path, (block) => seen.push(block)), seen };
  };

  beforeEach(() => {
    folder = makeFolder();
    path = join(folder.path, 'chain.ndjson');
    const { log } = reopen();
    for (const block of blocks) log.append(block);
    log.close();
  });

  afterEach(() => folder.remove());

  it('returns everything that was appended', () => {
    const { log, seen } = reopen();
    expect(seen).toEqual(blocks);
    expect(log.read(5)).toEqual(blocks[4]);
    expect(log.heightOf(blocks[6]!.id)).toBe(7);
    expect(log.heightOfTransaction(blocks[0]!.transactions[3]!.id)).toBe(1);
    expect(log.transactionsUpTo(log.height)).toBe(
      blocks.reduce((sum, { transactions }) => sum + transactions.length, 0),
    );
    log.close();
  });

  it.each([1, 40, 200])('cuts off a last line without its last %i bytes', (missing) => {
    truncateSync(path, statSync(path).size - missing);
    const { log, seen } = reopen();
    expect(seen).toEqual(blocks.slice(0, -1));
    log.append(blocks.at(-1)!);
    log.close();
    expect(reopen().seen).toEqual(blocks);
  });

  it('cuts off a last line that is not JSON', () => {
    appendFileSync(path, '\0\0\0\n');
    expect(reopen().seen).toEqual(blocks);
  });

  it('rejects a file that is damaged before its end, and says what to do', () => {
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[3] = '{"id":';
    writeFileSync(path, lines.join('\n'));
    expect(reopen).toThrow(DevnetError);
    expect(reopen).toThrow(/damaged after height 3.*Remove its folder/);
  });

  it('removes the blocks above the height to which it is cut', () => {
    const { log } = reopen();
    log.truncate(6);
    expect(log.height).toBe(6);
    expect(log.heightOf(blocks[7]!.id)).toBeNull();
    expect(() => log.read(7)).toThrow(RangeError);
    log.close();
    expect(reopen().seen).toEqual(blocks.slice(0, 6));
  });
});
