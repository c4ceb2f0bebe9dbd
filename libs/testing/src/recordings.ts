import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parseLosslessJson } from '@roundhouse/chain';

/** The recorded chains under `test-data`, by the node that forged them, with all that its public API answered. */
export type Recording = 'core-2.4' | 'core-3.9';

/**
 * All recorded chains. For `core-2.4-full`, only blocks, tables and answers of version 1 are recorded; for
 * `core-3.9-full`, all answers of its public API in a form of their own.
 */
export type RecordedChain = Recording | 'core-2.4-full' | 'core-3.9-full';

/** The path of a recorded file. */
export const recordingFile = (recording: RecordedChain, file: string): string =>
  // `src` and `dist` are both three folders below the root of the repository.
  fileURLToPath(new URL(`../../../test-data/${recording}/${file}`, import.meta.url));

/** The lines of a recorded `.ndjson.gz` file, read without loss of digits. */
export const readRecording = <T = Record<string, unknown>>(recording: RecordedChain, file: string): T[] =>
  gunzipSync(readFileSync(recordingFile(recording, file)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parseLosslessJson(line) as T);
