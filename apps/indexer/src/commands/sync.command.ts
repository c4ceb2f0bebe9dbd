import { setTimeout as wait } from 'node:timers/promises';
import type { BlockRef } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { createLogger, print, printError, STDERR } from '@roundhouse/logging';
import { createBlockSource, unfinishedBytes, type BlockSource } from '@roundhouse/source';
import {
  forgetRefusals,
  readChainEnd,
  readPosition,
  readRefusedBlock,
  type Position,
  type RefusedBlock,
} from '@roundhouse/storage';
import { Pool, type Client } from 'pg';
import type { Logger } from 'pino';
import { defineCommand, readWholeNumber, type Environment } from '../command-line/command.js';
import { readCommandSettings } from '../command-line/database-settings.js';
import { endInTime, exitCodeOf, stopSignal } from '../command-line/ending.js';
import { Progress } from '../command-line/progress.js';
import { ListIndexes } from '../apply/list-indexes.service.js';
import { checkDatabase, onDatabase } from '../database/check-database.js';
import { PositionService } from '../follow/current-state.js';
import { isAtEnd, readEndableSettings } from '../frozen/end-of-settings.js';
import { proveAfterSync } from '../frozen/prove-end.js';
import { SOURCE, type IndexerSettings } from '../indexer.config.js';
import type { OpenSource, RunningIndexer } from '../indexer.js';
import { underWriterLock } from '../leader/writer-lock.js';
import { Stopping } from '../stopping.service.js';
import { start } from './run.command.js';

const LOOK_EACH_MS = 200;

/** After this many consecutive refusals of one block, the node is not expected to return a correct one. */
const MOST_REFUSALS = 3;

/** Throws if another process writes, or if the index is above `lastHeight`. */
const assertFree = async (databaseUrl: string, lastHeight: number | null): Promise<void> => {
  await checkDatabase(databaseUrl);
  const assertBelow = async (client: Client): Promise<void> => {
    // The cause of an earlier refusal may be removed by now.
    await forgetRefusals(client);
    const { head } = await readPosition(client);
    if (lastHeight === null || (head?.height ?? 0) <= lastHeight) return;
    throw new OperatorError(
      `The index is at height ${head!.height} already: go back with "indexer rollback --to ${lastHeight} --yes" if that is what you want.`,
    );
  };
  const advice = 'watch it with "indexer status --watch", or stop it first';
  await underWriterLock(databaseUrl, 'sync', assertBelow, advice);
};

/** Refuses a height that the source has not reached. */
const openReaching =
  (lastHeight: number | null): OpenSource =>
  async ({ BLOCK_SOURCE, VERIFY, FINAL_HEIGHT }, network, events) => {
    const source = await createBlockSource({ urls: BLOCK_SOURCE, network, verify: VERIFY, ...events });
    const tip = await source.tip();
    if (tip.height >= (lastHeight ?? 0)) return source;
    await source.close();
    throw new OperatorError(
      lastHeight === FINAL_HEIGHT
        ? `${source.name} is at height ${tip.height}: it has no block at FINAL_HEIGHT=${lastHeight}. Name a BLOCK_SOURCE that has it, or correct FINAL_HEIGHT.`
        : `${source.name} is at height ${tip.height}: there is no block ${lastHeight} yet. Omit "--to" to index what there is.`,
    );
  };

/**
 * Throws if the source has another block at the head's height. The head is at `lastHeight`, so no further block is
 * fetched whose link could show the fork.
 */
const assertSameBlock = async (head: BlockRef, source: BlockSource): Promise<void> => {
  const block = await source.blockAt(head.height).catch(() => null);
  if (block === null || block.id === head.id) return;
  throw new OperatorError(
    `The index is at block ${head.height} (${head.id}), which is ${block.id} at ${source.name}: the source has forked. ` +
      `Let "indexer run", or "indexer sync" without "--to", follow it.`,
  );
};

/** Whether the head is the last block wanted: the source's newest, or the one at `lastHeight`. */
const isThere = async (
  { head, finalHeight }: Position,
  source: BlockSource,
  lastHeight: number | null,
): Promise<boolean> => {
  if (head === null) return false;
  // `EndWatch` asks the source whether it has the same block, and follows it.
  if (lastHeight !== null && lastHeight === finalHeight) return head.height === finalHeight;
  if (lastHeight !== null && head.height >= lastHeight) {
    await assertSameBlock(head, source);
    return true;
  }
  // If the source is away, wait for it, as "run" does.
  const tip = await source.tip().catch(() => null);
  return tip !== null && tip.id === head.id;
};

type End =
  | { readonly kind: 'there'; readonly position: Position }
  /** The block above the head cannot be right, and the source has no other. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stopped'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'halted'; readonly reason: Error };

/** A file or a node's database will not change. Through the API, the same or another node may return another block. */
const isFinal = ({ refusals }: RefusedBlock, source: BlockSource): boolean =>
  source.segments !== undefined || refusals >= MOST_REFUSALS;

/** Resolves when the index has the last block wanted and all its indexes, or cannot get it; rejects with the reason of `signal`. */
const untilThere = async (
  { app }: RunningIndexer,
  lastHeight: number | null,
  progress: Progress,
  signal: AbortSignal,
): Promise<End> => {
  const positions = app.get(PositionService);
  const source = app.get<BlockSource>(SOURCE);
  const lists = app.get(ListIndexes);
  for (;;) {
    // If the database is away, wait for it too; the heartbeat logs that.
    const position = await positions.refresh().catch(() => positions.current);
    const { head, sourceHeight } = position;
    if (sourceHeight !== null) progress.show(head?.height ?? 0, Math.max(sourceHeight, head?.height ?? 0));
    const isClose = sourceHeight !== null && (head?.height ?? 0) >= sourceHeight;
    const isWhole = isClose && (await lists.overdue().catch(() => null))?.length === 0;
    if (isWhole && (await isThere(position, source, lastHeight))) {
      const end = position.finalHeight === lastHeight ? await readChainEnd(app.get(Pool)) : null;
      if (end === null || end.id !== null) return { kind: 'there', position };
      if (end.problem !== null) return { kind: 'refused', reason: end.problem };
    }
    const refused = await readRefusedBlock(app.get(Pool)).catch(() => null);
    if (refused !== null && isFinal(refused, source)) return { kind: 'refused', reason: refused.reason };
    await wait(LOOK_EACH_MS, undefined, { signal });
  }
};

const indexAll = async (
  indexer: RunningIndexer,
  lastHeight: number | null,
  signalled: Promise<End>,
): Promise<End> => {
  const progress = new Progress('indexing');
  const ended = new AbortController();
  try {
    return await Promise.race([
      untilThere(indexer, lastHeight, progress, ended.signal),
      indexer.halted.then((reason): End => ({ kind: 'halted', reason })),
      signalled,
    ]);
  } finally {
    ended.abort();
    progress.end();
  }
};

type Stopped = Extract<End, { kind: 'stopped' }>;

const hearSignals = (stopping: Stopping): Promise<Stopped> =>
  stopSignal(() => printError('Ended at once by a second signal; what is committed stays.')).then(
    (signal) => {
      stopping.begin();
      endInTime(exitCodeOf(signal), stopping);
      return { kind: 'stopped' as const, signal };
    },
  );

const whereItStopped = async (databaseUrl: string): Promise<string> => {
  const { head, sourceHeight } = await onDatabase(databaseUrl, readPosition);
  return (
    `Stopped at height ${head?.height ?? 0}, the source is at ${sourceHeight ?? 'an unknown height'}: the index is consistent. ` +
    `The same command continues from there.`
  );
};

const settingsOf = (environment: Environment): Promise<IndexerSettings> => {
  // A fixed port could be in use by another indexer, and nothing watches the health of a command that ends by itself.
  const asGiven = {
    OPS_PORT: '0',
    LOG_LEVEL: 'warn',
    ...environment,
    // It ends when the index has reached its end.
    VERIFY_EVERY: '0',
  };
  return readEndableSettings((known) => readCommandSettings(known, asGiven), environment);
};

/** Verifies the whole index, whose chain has ended. Returns the exit code. */
const prove = (settings: IndexerSettings, logger: Logger, signalled: Promise<Stopped>): Promise<number> => {
  const stopped = signalled.then(({ signal }) => {
    printError('Stopped: nothing was changed. The same command verifies again.');
    return exitCodeOf(signal);
  });
  return Promise.race([proveAfterSync(settings, logger), stopped]);
};

const FILE = 'file:';

/** Says where the index is, and whether the file of the source has more. */
const sayWhere = async ({ height, id }: BlockRef, source: string, lastHeight: number | null) => {
  const which = lastHeight === null ? `the newest that ${source} has` : 'the last one asked for';
  print(`The index is at block ${height} (${id}), ${which}.`);
  const rest =
    lastHeight === null && source.startsWith(FILE) ? await unfinishedBytes(source.slice(FILE.length)) : 0;
  if (rest > 0)
    printError(
      `The file has ${rest} bytes more, which are no whole line: it is still being written, or was cut off. Compare its size with the original's.`,
    );
};

/** Says why it ended without the last block wanted. Throws what halted the indexer. */
const exitCodeFor = async (end: Exclude<End, { kind: 'there' }>, databaseUrl: string): Promise<number> => {
  switch (end.kind) {
    case 'refused':
      printError(end.reason, await whereItStopped(databaseUrl));
      return 1;
    case 'stopped':
      printError(await whereItStopped(databaseUrl));
      return exitCodeOf(end.signal);
    case 'halted':
      throw end.reason;
  }
};

/** Returns the exit code. */
const sync = async (environment: Environment, asked: number | null): Promise<number> => {
  const settings = await settingsOf(environment);
  const logger = await createLogger(settings.LOG_LEVEL, process.stderr.isTTY, STDERR);
  const stopping = new Stopping(logger);
  const signalled = hearSignals(stopping);
  const final = settings.FINAL_HEIGHT || null;
  const isLast = final !== null && final <= (asked ?? final);
  const lastHeight = isLast ? final : asked;
  if (await isAtEnd(settings)) return prove(settings, logger, signalled);
  await assertFree(settings.DATABASE_URL, asked);
  const indexer = await start(settings, logger, stopping, openReaching(lastHeight), lastHeight);
  if (indexer === null) {
    return exitCodeOf((await signalled).signal);
  }
  const source = indexer.app.get<BlockSource>(SOURCE).name;
  const end = await indexAll(indexer, lastHeight, signalled);
  if (end.kind === 'stopped') {
    printError('', 'Stopping: the current batch is committed first. Press Ctrl-C again to end at once.');
  }
  await indexer.stop();
  if (end.kind !== 'there') return exitCodeFor(end, settings.DATABASE_URL);
  if (isLast) return prove(settings, logger, signalled);
  await sayWhere(end.position.head!, source, lastHeight);
  return 0;
};

export const command = defineCommand({
  text: `Indexes as "run" does, from the index's head up to the source's newest block or the block at HEIGHT, then ends. You
can stop it at any time; it continues from there. It does not run while an indexer writes, because that indexer
follows the source already.

With FINAL_HEIGHT, it ends there, verifies the whole index, and says that the chain has ended.`,
  examples: [
    ['BLOCK_SOURCE=file:chain.ndjson.gz NETWORK=mainnet indexer sync', 'index an archive'],
    ['indexer sync --to 1000000', 'index the first million blocks, for instance to compare digests'],
  ],
  closing: `Needs DATABASE_URL, and BLOCK_SOURCE as "run" does. Health is served only if OPS_PORT is set; LOG_LEVEL is "warn"
unless it is set. Exit code: 0 if the index has reached its end, 1 if it cannot, 130 or 143 if it was stopped.`,
  options: {
    to: {
      type: 'string',
      requiresArg: true,
      description: "HEIGHT: the last block (default: the source's newest)",
    },
  },
  run: async ({ to }, environment) => sync(environment, readWholeNumber('--to', to)),
});
