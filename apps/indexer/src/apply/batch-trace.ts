import type { BatchReport } from './apply-options.js';

interface Phase {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A batch as a span with its phases. In reality, loading and applying alternate if a batch has several runs. */
export const batchTrace = (
  { head, blocks, transactions, loadMs, applyMs, commitMs }: BatchReport,
  endedAt: number,
) => {
  const startedAt = endedAt - loadMs - applyMs - commitMs;
  const phase = (name: string, fromMs: number, durationMs: number): Phase => ({
    name,
    startedAt: startedAt + fromMs,
    endedAt: startedAt + fromMs + durationMs,
  });
  return {
    name: 'apply batch',
    startedAt,
    endedAt,
    attributes: {
      'roundhouse.height': head.height,
      'roundhouse.blocks': blocks,
      'roundhouse.transactions': transactions,
    },
    parts: [
      phase('load working set', 0, loadMs),
      phase('apply blocks', loadMs, applyMs),
      phase('commit', loadMs + applyMs, commitMs),
    ],
  };
};
