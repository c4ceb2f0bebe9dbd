import { loadavg } from 'node:os';
import type { Bench } from '../bench.config.js';
import { chainFile, quietChain } from '../chain-files.js';
import { median, rounded } from '../statistics.js';
import { measureIndex, withIndex } from './indexer-run.js';
import { plainCopyMs, writeRowFiles } from './plain-copy.js';

/** The whole indexing and a COPY of the same rows, in turn. */
const race = async (bench: Bench) => {
  const chain = await chainFile(bench.cache, 'busy', bench.blocks, { transactionsPerBlock: 1 });
  const folder = `${chain.archive}.rows`;
  const turns: { rowsPerSecond: number; copyRowsPerSecond: number; rssMiB: number }[] = [];
  for (let turn = 1; turn <= bench.repeats; turn += 1) {
    const { rows, run } = await withIndex(bench, chain, async (url, run) => ({
      rows: await writeRowFiles(url, folder),
      run,
    }));
    const copyMs = await bench.withDatabase((url) => plainCopyMs(url, folder));
    const perSecond = (ms: number): number => Math.round((rows * 1_000) / ms);
    turns.push({
      rowsPerSecond: perSecond(run.indexMs),
      copyRowsPerSecond: perSecond(copyMs),
      rssMiB: run.rssMiB,
    });
    console.log(`run ${turn}, load ${loadavg()[0]!.toFixed(1)}:`, turns.at(-1));
  }
  return turns;
};

/** Blocks per second with every signature verified. */
const verified = async (bench: Bench): Promise<number> => {
  const shape = { transactionsPerBlock: 0.05, isSigned: true, accounts: 200, delegates: 60 };
  const chain = await chainFile(bench.cache, 'signed', bench.signedBlocks, shape);
  return withIndex(bench, chain, async (_, { indexMs }) => Math.round((chain.blocks * 1_000) / indexMs), {
    VERIFY: 'full',
  });
};

/** Measures indexing: against COPY, on a long chain, undoing, starting, verifying signatures. */
export const benchIndex = async (bench: Bench) => {
  const turns = await race(bench);
  const chain = await quietChain(bench.cache, bench.longBlocks);
  const { flatness, rssMiB, startMs, undo1000Ms } = await measureIndex(bench, chain, async () => undefined);
  const rowsPerSecond = median(turns.map((turn) => turn.rowsPerSecond));
  const copyRowsPerSecond = median(turns.map((turn) => turn.copyRowsPerSecond));
  return {
    rowsPerSecond,
    copyRowsPerSecond,
    ratioToCopy: rounded(rowsPerSecond / copyRowsPerSecond, 3),
    flatness,
    rssMiB: Math.max(rssMiB, ...turns.map((turn) => turn.rssMiB)),
    undo1000Ms,
    startMs,
    ...(bench.signedBlocks > 0 ? { verifiedBlocksPerSecond: await verified(bench) } : {}),
  };
};
