import { describe, expect, it } from '@jest/globals';
import type { IndexStatus } from '@roundhouse/storage';
import type { Status } from './read-status.js';
import { statusLine, statusLines } from './status-lines.js';

const NOW = new Date('2026-01-02T03:04:05Z');

const statusOf = (index: Pick<IndexStatus, 'missingIndexes' | 'indexBuild'>): Status => ({
  schema: { kind: 'known' },
  hasSqlViews: false,
  queues: null,
  index: {
    network: null,
    source: null,
    refused: null,
    writer: null,
    staged: { ranges: 0, blocks: 0, bytes: 0 },
    head: {
      height: 9,
      id: '1',
      forgedAt: NOW,
      indexedAt: NOW,
      supply: 1n,
      delegates: 1,
      nextRound: { round: 1, firstHeight: 1, lastHeight: 51, activeDelegates: 51 },
      lowestUndo: 1,
      knowsClaims: true,
      hasDetails: true,
      hasStatistics: true,
      misplaced: null,
    },
    ...index,
  },
});

describe('the status of a first sync', () => {
  it.each([
    [null, 'lists lack ix_a, ix_b: built when the index has nearly reached its source'],
    [
      { phase: 'building index: scanning table', percent: 45 },
      'building ix_a (building index: scanning table 45 %); after it ix_b',
    ],
    [{ phase: null, percent: null }, 'building ix_a (under way); after it ix_b'],
  ])('says what is missing, and how far the build is: %j', (indexBuild, text) => {
    const status = statusOf({ missingIndexes: ['ix_a', 'ix_b'], indexBuild });
    expect(statusLines(status, NOW)).toContain(`indexes   ${text}`);
    expect(statusLine(status, NOW)).toContain('height 9, lag unknown, 2 indexes missing, 0 blocks staged');
  });

  it('says nothing of indexes when all are there', () => {
    const status = statusOf({ missingIndexes: [], indexBuild: null });
    expect(statusLines(status, NOW).join()).not.toContain('indexes');
    expect(statusLine(status, NOW)).not.toContain('indexes');
  });
});
