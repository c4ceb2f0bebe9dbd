import { readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

export interface Line {
  readonly text: string;
  /** The offset of the next line, in bytes. */
  readonly end: number;
  /** Whether only an incomplete line or nothing follows. */
  readonly isLast: boolean;
}

/** Yields the complete lines of an open file; text after the last newline is ignored. */
export function* readLines(file: number): Generator<Line> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let position = 0;
  let end = 0;
  let held: { text: string; end: number } | null = null;
  for (;;) {
    const length = readSync(file, chunk, 0, CHUNK_BYTES, position);
    if (length === 0) break;
    position += length;
    rest = Buffer.concat([rest, chunk.subarray(0, length)]);
    for (let newline = rest.indexOf(NEWLINE); newline >= 0; newline = rest.indexOf(NEWLINE)) {
      end += newline + 1;
      if (held) yield { ...held, isLast: false };
      held = { text: rest.toString('utf8', 0, newline), end };
      rest = rest.subarray(newline + 1);
    }
  }
  if (held) yield { ...held, isLast: true };
}
