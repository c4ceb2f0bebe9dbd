import { OperatorError, type SettingsValues } from '@roundhouse/config';
import { print } from '@roundhouse/logging';
import { loadNetwork } from '@roundhouse/source';
import { readUndoReach, rebuildIndex, type RebuildOptions, type RebuildReport } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { defineCommand } from '../command-line/command.js';
import { readCommandSettings } from '../command-line/database-settings.js';
import { endAtFirstSignal, exitCodeOfCheck } from '../command-line/ending.js';
import { Progress } from '../command-line/progress.js';
import { checkDatabase } from '../database/check-database.js';
import { databaseSettings, indexerSettings, ruleSettings, rulesOf } from '../indexer.config.js';
import { underWriterLock } from '../leader/writer-lock.js';
import { guardRebuild } from '../network/network-guard.js';

const { UNDO_DEPTH, HISTORY, NETWORK } = indexerSettings;
const rebuildSettings = { ...databaseSettings, ...ruleSettings, UNDO_DEPTH, HISTORY, NETWORK };

/** The before-images may be damaged too, but a rollback only has to lead to sound blocks: the rebuild does the rest. */
const adviceFor = async (client: ClientBase, lastSound: number): Promise<string> => {
  const reach = await readUndoReach(client);
  if (lastSound >= 1 && reach !== null && lastSound >= reach.lowest && lastSound < reach.head.height) {
    return `Go back below it with "indexer rollback --to ${lastSound} --yes", rebuild, and start the indexers: they fetch the rest again.`;
  }
  return 'The index cannot be taken back below it: empty it with "indexer reset --yes" and index again, or restore a backup.';
};

type Rebuilt = Extract<RebuildReport, { kind: 'rebuilt' }>;

/** Only if before-images do not reach as far down as they should. */
const reachLines = ({ finalHeight }: Rebuilt): string[] =>
  finalHeight === null
    ? []
    : [
        `Before-images reach down to height ${finalHeight}, not further: clients were told that the history up to it never changes.`,
      ];

const reportLines = (report: Rebuilt): string[] => {
  const { head, from, replaced } = report;
  const blocks =
    from === 0
      ? `${head.height} blocks`
      : `the checkpoint at height ${from} and ${head.height - from} blocks`;
  const rebuilt = `Rebuilt from ${blocks} up to ${head.id}`;
  if (replaced.length === 0)
    return [...reachLines(report), `${rebuilt}: nothing differed, nothing was written.`];
  return [
    ...replaced.map(
      ({ table, deleted, inserted }) => `${table}: ${deleted} rows deleted, ${inserted} inserted`,
    ),
    ...reachLines(report),
    `${rebuilt}: what differed is corrected, and served from now on.`,
  ];
};

/** False if the stored blocks are damaged. */
const rebuildUnderLock = async (
  client: ClientBase,
  options: Pick<RebuildOptions, 'undoDepth' | 'keepsHistory' | 'fromGenesis' | 'rules' | 'network'>,
): Promise<boolean> => {
  if (options.network !== undefined) await guardRebuild(client, options.network);
  const progress = new Progress('rebuilding');
  const replacing = new Progress('replacing', { unit: 'tables' });
  try {
    const report = await rebuildIndex(client, {
      ...options,
      onProgress: (height, of) => progress.show(height, of),
      onTable: (_table, done, of) => {
        progress.end();
        replacing.show(done, of);
      },
    });
    replacing.end();
    if (report.kind === 'empty')
      throw new OperatorError('The index is empty: there is nothing to rebuild from.');
    if (report.kind === 'damaged') {
      const { block, lastSound } = report;
      print(`block ${block.height}: ${block.problem}`);
      print(`The stored blocks are damaged, so nothing was changed. ${await adviceFor(client, lastSound)}`);
      return false;
    }
    print(...reportLines(report));
    return true;
  } finally {
    progress.end();
    replacing.end();
  }
};

const rebuild = async (
  settings: SettingsValues<typeof rebuildSettings>,
  fromGenesis: boolean,
): Promise<boolean> => {
  const { DATABASE_URL, UNDO_DEPTH: undoDepth, HISTORY, NETWORK } = settings;
  const rules = rulesOf(settings);
  const network = NETWORK === undefined ? undefined : await loadNetwork(NETWORK);
  await checkDatabase(DATABASE_URL);
  return underWriterLock(
    DATABASE_URL,
    'rebuild',
    (client) =>
      rebuildUnderLock(client, { undoDepth, rules, network, keepsHistory: HISTORY === 'full', fromGenesis }),
    'stop all of them first; apis may keep running, and "indexer verify" can run while an indexer writes',
  );
};

export const command = defineCommand({
  text: `Recomputes accounts, delegates, locks, rounds, digests, the head's counters and the before-images (for UNDO_DEPTH
blocks) from the stored blocks, without a node. It replaces the rows that differ in one transaction. Stop the indexers
first. Running apis continue, and show the index before or after, never a state in between. If nothing differs, almost
nothing is written.

It begins with the checkpoint of "indexer verify", if there is one that fits. If UNDO_DEPTH has become so large that
before-images are missing below the checkpoint, or with HISTORY=full, it begins with the first block.

An index with history has told clients that answers about heights below its before-images never change. So a larger
UNDO_DEPTH makes no before-images of these heights, unless the rebuild drops the history.

With HISTORY=full the index has its whole history afterwards; with HISTORY=off, which is the default, it has none. So give
it the setting of the indexers.

If NETWORK is set, the tables are computed by this configuration, which is stored with them. If it has other customTypes
than the stored one, the rebuild begins with the first block. If NETWORK is not set, the stored configuration counts.

If the stored blocks are damaged, nothing is rebuilt: the first damaged block is named, with what helps.`,
  examples: [
    ['indexer rebuild', 'correct everything that "indexer verify" has found'],
    ['HISTORY=full indexer rebuild', 'build the history of an index that has none'],
    ['indexer rebuild --from-genesis', 'the same, if "indexer verify --from-genesis" has found it'],
    ['NETWORK=chain.json indexer rebuild', 'apply the changed customTypes of chain.json to all blocks'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role; reads UNDO_DEPTH, HISTORY and, if set, NETWORK.
Exit code: 0 if the derived tables agree with the blocks, 1 if the stored blocks are damaged and nothing was changed, 2
if it could not be done. Ctrl-C ends it at once and leaves the index unchanged.`,
  options: {
    'from-genesis': {
      type: 'boolean',
      default: false,
      description: 'drop the checkpoint and begin with the first block',
    },
  },
  run: ({ 'from-genesis': fromGenesis }, environment) => {
    endAtFirstSignal('Stopped: the index is unchanged. "indexer rebuild" starts from the beginning.');
    return exitCodeOfCheck(async () =>
      rebuild(await readCommandSettings(rebuildSettings, environment), fromGenesis),
    );
  },
});
