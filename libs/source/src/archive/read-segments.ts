import type { BlockSegment } from '../block-source.js';
import { endOfText, isJson, openText } from './open-lines.js';

const NEW_LINE = 10;
const CHUNK_BYTES = 1024 * 1024;

async function* chunksOf(path: string): AsyncGenerator<Buffer, void> {
  const { chunks, close } = await openText(path, CHUNK_BYTES);
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
 * Reads the file once from its beginning, which is fast because the lines are not parsed.
 */
export async function* readSegments(path: string, from: number): AsyncGenerator<BlockSegment, void> {
  let rest: Uint8Array[] = [];
  let line = 1;
  for await (const chunk of chunksOf(path)) {
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
 * `from`.
 */
export async function* linkedSegments(
  path: string,
  from: number,
  check: (below: Buffer, first: Buffer) => void,
): AsyncGenerator<BlockSegment, void> {
  let below: Buffer | null = null;
  for await (const segment of readSegments(path, Math.max(from - 1, 1))) {
    let rest = segment;
    if (segment.firstHeight < from) [below, rest] = splitFirstLine(segment);
    if (rest.bytes.length === 0) continue;
    if (rest.firstHeight === from && below !== null) check(below, splitFirstLine(rest)[0]);
    yield rest;
  }
}
