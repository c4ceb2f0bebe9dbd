import { setTimeout as wait } from 'node:timers/promises';
import type { BlockRef } from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { createLogger, STDERR } from '@roundhouse/logging';
import { createBlockSource, type BlockSource } from '@roundhouse/source';
import {
  forgetRefusals,
  readPosition,
  readRefusedBlock,
  type Position,
  type RefusedBlock,
} from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { readCommandSettings } from '../command-line/database-settings.js';
import { exitCodeOf, stopSignal } from '../command-line/stop-signals.js';
import { checkDatabase, connectDatabase } from '../database/check-database.js';
import { PositionService } from '../follow/position.service.js';
import { indexerSettings } from '../indexer.config.js';
import type { OpenSource, RunningIndexer } from '../indexer.js';
import { tryWriterLock } from '../leader/writer-lock.js';
import { SOURCE } from '../source.provider.js';
import { Stopping } from '../stopping.service.js';
import { endInTime } from './ending.js';
import { Progress } from './progress.js';
import { readHeight } from './read-height.js';
import { start } from './start.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How often the position is looked at. */
const LOOK_EACH_MS = 200;

/** So often in a row a node may give a block that cannot be right. */
const MOST_REFUSALS = 3;

/** Throws where another process writes, which follows the source by itself, or where the index is too far already. */
const assertFree = async (databaseUrl: string, lastHeight: number | null): Promise<void> => {
  await checkDatabase(databaseUrl);
  const lock = await tryWriterLock(databaseUrl);
  if (lock === null) {
    throw new OperatorError(
      'An indexer is writing to this database, and follows its source by itself: watch it with "indexer status --watch", or stop it first.',
    );
  }
  try {
    // What was refused in an earlier run may be mended by now.
    await forgetRefusals(lock.client);
    const { head } = await readPosition(lock.client);
    if (lastHeight === null || (head?.height ?? 0) <= lastHeight) return;
    throw new OperatorError(
      `The index is at height ${head!.height} already: go back with "indexer rollback --to ${lastHeight} --yes" if that is what you want.`,
    );
  } finally {
    await lock.release();
  }
};

/** Refuses a height that the source has not got to yet. */
const openReaching =
  (lastHeight: number | null): OpenSource =>
  async ({ BLOCK_SOURCE, VERIFY }, network, events) => {
    const source = await createBlockSource({ urls: BLOCK_SOURCE, network, verify: VERIFY, ...events });
    const tip = await source.tip();
    if (tip.height >= (lastHeight ?? 0)) return source;
    await source.close();
    throw new OperatorError(
      `${source.name} is at height ${tip.height}: there is no block ${lastHeight} yet. Leave "--to" out to index what there is.`,
    );
  };

/** Where nothing above the head is fetched, nothing tells that the source has forked below it. */
const assertSameBlock = async (head: BlockRef, source: BlockSource): Promise<void> => {
  const block = await source.blockAt(head.height).catch(() => null);
  if (block === null || block.id === head.id) return;
  throw new OperatorError(
    `The index is at block ${head.height} (${head.id}), which is ${block.id} at ${source.name}: the source has forked. ` +
      `Let "indexer run", or "indexer sync" without "--to", follow it.`,
  );
};

/** Whether the head is the block that was wanted: the source's newest, or the one at `lastHeight`. */
const isThere = async (
  { head }: Position,
  source: BlockSource,
  lastHeight: number | null,
): Promise<boolean> => {
  if (head === null) return false;
  if (lastHeight !== null && head.height >= lastHeight) {
    await assertSameBlock(head, source);
    return true;
  }
  // A source that is away is waited for, as "run" does.
  const tip = await source.tip().catch(() => null);
  return tip !== null && tip.id === head.id;
};

type End =
  | { readonly kind: 'there'; readonly position: Position }
  /** The block above the head cannot be right: nothing more will come of the source. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stopped'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'halted'; readonly reason: Error };

/** What a file or a node's database has wrong stays wrong; a node, or the one beside it, may give something else. */
const isFinal = ({ refusals }: RefusedBlock, source: BlockSource): boolean =>
  source.segments !== undefined || refusals >= MOST_REFUSALS;

/** Resolves when the index is where it should be, or cannot get there; rejects with the reason of `signal`. */
const untilThere = async (
  { app }: RunningIndexer,
  lastHeight: number | null,
  progress: Progress,
  signal: AbortSignal,
): Promise<End> => {
  const positions = app.get(PositionService);
  const source = app.get<BlockSource>(SOURCE);
  for (;;) {
    // A database that is away is waited for, too: the heartbeat says so.
    const position = await positions.refresh().catch(() => positions.current);
    const { head, sourceHeight } = position;
    if (sourceHeight !== null) progress.show(head?.height ?? 0, Math.max(sourceHeight, head?.height ?? 0));
    const isClose = sourceHeight !== null && (head?.height ?? 0) >= sourceHeight;
    if (isClose && (await isThere(position, source, lastHeight))) return { kind: 'there', position };
    const refused = await readRefusedBlock(app.get(Pool)).catch(() => null);
    if (refused !== null && isFinal(refused, source)) return { kind: 'refused', reason: refused.reason };
    await wait(LOOK_EACH_MS, undefined, { signal });
  }
};

const run = async (
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

const hearSignals = (stopping: Stopping, logger: Logger): Promise<End> =>
  stopSignal(() => console.error('Ended at once by a second signal; what is committed stays.')).then(
    (signal): End => {
      stopping.begin();
      endInTime(stopping, exitCodeOf(signal), logger);
      return { kind: 'stopped', signal };
    },
  );

const whereItStopped = async (databaseUrl: string): Promise<string> => {
  const client = await connectDatabase(databaseUrl);
  try {
    const { head, sourceHeight } = await readPosition(client);
    return (
      `Stopped at height ${head?.height ?? 0}, the source is at ${sourceHeight ?? 'an unknown height'}: the index is whole. ` +
      `The same command goes on from there.`
    );
  } finally {
    await client.end();
  }
};

/** Indexes up to the source's newest block, or up to the height that `to` names, and ends. Gives the exit code. */
export const sync = async (environment: Environment, to: string | undefined): Promise<number> => {
  const lastHeight = readHeight(to);
  // Beside others on one machine, nobody asks a run that ends by itself for its health, unless its port is named.
  const settings = await readCommandSettings(indexerSettings, {
    OPS_PORT: '0',
    LOG_LEVEL: 'warn',
    ...environment,
  });
  const logger = await createLogger(settings.LOG_LEVEL, process.stderr.isTTY, STDERR);
  const stopping = new Stopping(logger);
  const signalled = hearSignals(stopping, logger);
  await assertFree(settings.DATABASE_URL, lastHeight);
  const indexer = await start(settings, logger, stopping, openReaching(lastHeight), lastHeight);
  if (indexer === null) {
    const end = await signalled;
    return end.kind === 'stopped' ? exitCodeOf(end.signal) : 1;
  }
  const source = indexer.app.get<BlockSource>(SOURCE).name;
  const end = await run(indexer, lastHeight, signalled);
  if (end.kind === 'stopped') {
    console.error('\nStopping: what is in hand is committed first. Once more ends at once.');
  }
  await indexer.stop();
  switch (end.kind) {
    case 'there': {
      const { height, id } = end.position.head!;
      const which = lastHeight === null ? `the newest that ${source} has` : 'as it was told';
      console.log(`The index is at block ${height} (${id}), ${which}.`);
      return 0;
    }
    case 'refused':
      console.error(`${end.reason}\n${await whereItStopped(settings.DATABASE_URL)}`);
      return 1;
    case 'stopped':
      console.error(await whereItStopped(settings.DATABASE_URL));
      return exitCodeOf(end.signal);
    case 'halted':
      throw end.reason;
  }
};
