import { describe, expect, it } from '@jest/globals';
import type { SourceReport } from '@roundhouse/source';
import { sourceLines } from './source-lines.js';

const UNREACHABLE: SourceReport = {
  source: 'http://node.example',
  kind: 'api',
  line: null,
  version: null,
  network: null,
  height: null,
  newestBlockSeconds: null,
  genesisTransactions: null,
  signaturesBy: null,
  sample: null,
  tried: null,
  rateLimit: null,
  secondsToRead: null,
  clockAheadSeconds: null,
  remarks: [],
  problems: ['http://node.example cannot be reached.'],
};

const sample = { blocks: 4, transactions: 0, requests: 4, seconds: 1, lowestHeight: 1, highestHeight: 4 };

describe('the report on a source, for people', () => {
  it('says nothing of signatures if no block was read', () => {
    expect(sourceLines(UNREACHABLE)).toEqual([
      'source      http://node.example',
      "kind        a node's public API",
      'problem     http://node.example cannot be reached.',
      'usable      no',
    ]);
  });

  it('says what has verified the signatures of the blocks that were read, or that nothing has', () => {
    const read: SourceReport = { ...UNREACHABLE, sample, secondsToRead: 1 };
    expect(sourceLines({ ...read, signaturesBy: 'a library' })).toContain(
      'signatures  verified by a library',
    );
    expect(sourceLines(read)).toContainEqual(
      expect.stringMatching(/^signatures {2}not verified \(VERIFY=hash\)/),
    );
  });
});
