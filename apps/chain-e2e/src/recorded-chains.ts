import type { Network } from '@roundhouse/chain';
import { loadNetwork } from '@roundhouse/source';
import { recordingFile, type Recording } from '@roundhouse/testing';

/** Both recordings end at this height. */
export const RECORDED_HEAD = 322;

export const networkOf = (recording: Recording): Promise<Network> =>
  loadNetwork(recordingFile(recording, 'network.json'));

export const archiveOf = (recording: Recording, file = 'chain.ndjson.gz'): string =>
  `file:${recordingFile(recording, file)}`;
