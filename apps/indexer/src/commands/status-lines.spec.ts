import { describe, expect, it } from '@jest/globals';
import type { IndexStatus } from '@roundhouse/storage';
import type { Status } from './read-status.js';
import { statusLine, statusLines } from './status-lines.js';

const NOW = new Date('2026-01-02T03:04:05Z');

const statusOf = (
  index: Pick<IndexStatus, 'missingIndexes' | 'indexBuild'> & Partial<IndexStatus>,
): Status => ({
  schema: { kind: 'known' },
  hasSqlViews: false,
  queues: null,
  index: {
    network: null,
    source: null,
    refused: null,
    end: null,
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

describe('the status of a chain that ends', () => {
  const source = { name: 'a node', height: 12, checkedAt: NOW };
  const end = { height: 9, id: null, provenAt: null, problem: null };

  it.each<[Partial<IndexStatus>, string, string]>([
    [{ end, source }, 'at 9, by FINAL_HEIGHT: the source goes on past it', 'lag 0'],
    [
      { end: { ...end, height: 20 }, source },
      'at 20, by FINAL_HEIGHT: the source has no such block yet',
      'lag 3',
    ],
    [{ end: { ...end, id: '1' } }, 'the chain ended at 9: all blocks are to be verified', 'lag 0'],
    [
      { end: { ...end, id: '1', provenAt: NOW } },
      'the chain ended at 9: complete and proven, no source is needed',
      'lag 0',
    ],
    [
      { end: { ...end, id: '1', problem: 'accounts: 1 row differs' } },
      'not proven at 9: accounts: 1 row differs',
      'lag 0',
    ],
  ])('says how far that is, and names a source with another end: %j', (index, text, lag) => {
    const status = statusOf({ missingIndexes: [], indexBuild: null, ...index });
    expect(statusLines(status, NOW)).toContain(`end       ${text}`);
    expect(statusLine(status, NOW)).toContain(lag);
  });
});
