import { loadavg } from 'node:os';
import type { Bench } from '../bench.config.js';
import { chainFile, quietChain } from '../chain-files.js';
import { median, rounded } from '../statistics.js';
import { measureIndex, withIndex, type IndexerRun } from './indexer-run.js';
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

/** The whole indexing of a chain with real signatures, with each value of `VERIFY` in turn. */
const proofs = async (bench: Bench) => {
  const chain = await chainFile(bench.cache, 'signed', bench.signedBlocks, {
    transactionsPerBlock: 1,
    isSigned: true,
  });
  const turnsOf = { hash: [] as IndexerRun[], full: [] as IndexerRun[] };
  for (let turn = 1; turn <= bench.repeats; turn += 1) {
    for (const VERIFY of ['hash', 'full'] as const) {
      const run = await withIndex(bench, chain, async (_, run) => run, { VERIFY });
      console.log(`VERIFY=${VERIFY}, load ${loadavg()[0]!.toFixed(1)}:`, run.indexMs, run.cpuSeconds);
      turnsOf[VERIFY].push(run);
    }
  }
  const of = (VERIFY: 'hash' | 'full', figure: 'indexMs' | 'cpuSeconds'): number =>
    median(turnsOf[VERIFY].map((run) => run[figure]));
  return {
    verifiedBlocksPerSecond: Math.round((chain.blocks * 1_000) / of('full', 'indexMs')),
    fullToHash: rounded(of('hash', 'indexMs') / of('full', 'indexMs'), 3),
    fullToHashCpu: rounded(of('hash', 'cpuSeconds') / of('full', 'cpuSeconds'), 3),
  };
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
    ...(bench.signedBlocks > 0 ? await proofs(bench) : {}),
  };
};
