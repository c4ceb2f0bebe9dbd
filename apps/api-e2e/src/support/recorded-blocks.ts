import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { blockOfText, BlockText, LineReader } from '@roundhouse/blocks';
import { parseNetwork, type Block, type Network } from '@roundhouse/chain';
import { recordingFile, type RecordedChain } from '@roundhouse/testing';

export interface RecordedBlocks {
  readonly network: Network;
  readonly blocks: readonly Block[];
}

const blockOf = (line: string): Block => {
  const bytes = Buffer.from(line);
  const text = new BlockText();
  if (new LineReader().read(bytes, 0, bytes.length, text)) return blockOfText(text);
  throw new Error(`A recorded line is not in plain form: ${line.slice(0, 100)}`);
};

/** What a real node forged. */
export const recordedBlocks = (recording: RecordedChain): RecordedBlocks => ({
  network: parseNetwork(JSON.parse(readFileSync(recordingFile(recording, 'network.json'), 'utf8'))),
  blocks: gunzipSync(readFileSync(recordingFile(recording, 'chain.ndjson.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map(blockOf),
});
