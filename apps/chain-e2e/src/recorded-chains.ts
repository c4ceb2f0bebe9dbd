import type { Network } from '@roundhouse/chain';
import { loadNetwork } from '@roundhouse/source';
import { recordingFile, type RecordedChain } from '@roundhouse/testing';

const HEADS: Readonly<Record<RecordedChain, number>> = {
  'core-2.4': 322,
  'core-2.4-full': 317,
  'core-3.9': 322,
  'core-3.9-full': 352,
};

/** The height at which a recording ends. */
export const headOf = (recording: RecordedChain): number => HEADS[recording];

/** The recordings with a node's public API end at this height. */
export const RECORDED_HEAD = 322;

export const networkOf = (recording: RecordedChain): Promise<Network> =>
  loadNetwork(recordingFile(recording, 'network.json'));

export const archiveOf = (recording: RecordedChain, file = 'chain.ndjson.gz'): string =>
  `file:${recordingFile(recording, file)}`;
