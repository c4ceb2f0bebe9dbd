import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decodeBlock } from '@roundhouse/blocks';
import { parseNetwork, type Block, type Network } from '@roundhouse/chain';
import { recordingFile, type RecordedChain } from '@roundhouse/testing';

export interface RecordedBlocks {
  readonly network: Network;
  readonly blocks: readonly Block[];
}

/** What a real node forged. */
export const recordedBlocks = (recording: RecordedChain): RecordedBlocks => ({
  network: parseNetwork(JSON.parse(readFileSync(recordingFile(recording, 'network.json'), 'utf8'))),
  blocks: gunzipSync(readFileSync(recordingFile(recording, 'chain.ndjson.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => decodeBlock(JSON.parse(line))),
});
