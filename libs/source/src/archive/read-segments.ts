import type { BlockSegment } from '../block-source.js';
import { refuseIfDamaged } from './decode-line.js';
import { START, type Place } from './gzip-member.js';
import { endOfText, isJson, openText } from './open-lines.js';

const NEW_LINE = 10;
const CHUNK_BYTES = 1024 * 1024;

async function* chunksOf(path: string, offset: number): AsyncGenerator<Buffer, void> {
  const { chunks, close } = await openText(path, CHUNK_BYTES, offset);
  try {
    yield* chunks;
  } finally {
    close();
  }
}

const countLines = (chunk: Uint8Array): number => {
  let count = 0;
  for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, at + 1)) count += 1;
  return count;
};

/** The offset at which line number `skipped + 1` of the chunk begins. */
const startBehind = (chunk: Uint8Array, skipped: number): number => {
  let at = 0;
  for (let line = 0; line < skipped; line += 1) at = chunk.indexOf(NEW_LINE, at) + 1;
  return at;
};

/**
 * Yields the lines of an archive from line `from` on, in runs of whole lines. Drops blank lines at the end of a run.
 * Reads the file once, from a place at or below `from`. The lines are not parsed.
 */
export async function* readSegments(
  path: string,
  from: number,
  place: Place = START,
): AsyncGenerator<BlockSegment, void> {
  let rest: Uint8Array[] = [];
  let { line } = place;
  try {
    for await (const chunk of chunksOf(path, place.offset)) {
      const end = chunk.lastIndexOf(NEW_LINE) + 1;
      if (end === 0) {
        rest.push(chunk);
        continue;
      }
      const lines = countLines(chunk);
      const next = line + lines;
      if (next > from) {
        const whole = Buffer.concat([...rest, chunk.subarray(0, end)]);
        const skipped = Math.max(from - line, 0);
        const bytes = whole.subarray(startBehind(whole, skipped), endOfText(whole));
        if (bytes.length > 0) yield { firstHeight: line + skipped, bytes };
      }
      rest = [chunk.subarray(end)];
      line = next;
    }
  } catch (error) {
    throw refuseIfDamaged(path, line, error as Error);
  }
  const last = Buffer.concat(rest);
  // An incomplete last line is still being written.
  if (line >= from && isJson(last)) yield { firstHeight: line, bytes: last };
}

const splitFirstLine = ({ firstHeight, bytes }: BlockSegment): [line: Buffer, rest: BlockSegment] => {
  const newLine = bytes.indexOf(NEW_LINE);
  const end = newLine === -1 ? bytes.length : newLine;
  return [
    Buffer.from(bytes.subarray(0, end)),
    { firstHeight: firstHeight + 1, bytes: bytes.subarray(end + 1) },
  ];
};

/**
 * Like `readSegments`, but calls `check` with the line below `from` and line `from` itself before it yields line
 * `from`. The place must be at or below that line, too.
 */
export async function* linkedSegments(
  path: string,
  from: number,
  place: Place,
  check: (below: Buffer, first: Buffer) => void,
): AsyncGenerator<BlockSegment, void> {
  let below: Buffer | null = null;
  for await (const segment of readSegments(path, Math.max(from - 1, START.line), place)) {
    let rest = segment;
    if (segment.firstHeight < from) [below, rest] = splitFirstLine(segment);
    if (rest.bytes.length === 0) continue;
    if (rest.firstHeight === from && below !== null) check(below, splitFirstLine(rest)[0]);
    yield rest;
  }
}
