import type { Rules } from '@roundhouse/chain';
import { print, printError } from '@roundhouse/logging';
import { openDelegatesSource } from '@roundhouse/source';
import { CheckpointRefusedError } from '@roundhouse/storage';
import { defineCommand } from '../command-line/command.js';
import { readCommandSettings } from '../command-line/database-settings.js';
import { endAtFirstSignal, exitCodeOfCheck } from '../command-line/ending.js';
import { Progress } from '../command-line/progress.js';
import { checkDatabase, connectDatabase, readHeight } from '../database/check-database.js';
import { databaseSettings, indexerSettings, ruleSettings, rulesOf } from '../indexer.config.js';
import { runVerification, UNDISTURBED } from '../verify/run-verification.js';
import { isSound, reportLines } from '../verify/verify-report.js';
import { compareWithNode } from './compare-with-node.js';

/** How many rows of a table are listed. */
const LISTED_ROWS = 20;

/** How many differences from a node are listed; the others are counted. */
const LISTED_DIFFERENCES = 100;

/** Lists where the derived tables differ from what the stored blocks give; true if they are equal. */
const verify = async (
  databaseUrl: string,
  rules: Rules,
  verifiesSignatures: boolean,
  fromGenesis: boolean,
): Promise<boolean> => {
  await checkDatabase(databaseUrl);
  const head = (await readHeight(databaseUrl)) ?? 0;
  const progress = new Progress('verifying');
  try {
    const report = await runVerification(databaseUrl, {
      fromGenesis,
      rules,
      verifiesSignatures,
      listed: LISTED_ROWS,
      ...UNDISTURBED,
      onProgress: (height) => progress.show(height, Math.max(height, head)),
    });
    progress.end();
    print(...reportLines(report));
    return isSound(report);
  } catch (error) {
    if (!(error instanceof CheckpointRefusedError)) throw error;
    progress.end();
    print(error.message);
    return false;
  } finally {
    progress.end();
  }
};

/** Lists where the index differs from what a running Core node has computed; true if nothing differs. */
const verifyAgainst = async (databaseUrl: string, url: string): Promise<boolean> => {
  const node = openDelegatesSource(url, {
    setting: '--against',
    onPause: ({ source, reason, durationMs }) =>
      printError(`${source} ${reason}: waiting ${Math.ceil(durationMs / 1_000)} s.`),
  });
  await checkDatabase(databaseUrl);
  const client = await connectDatabase(databaseUrl);
  const progress = new Progress('comparing', { unit: 'delegates', paceMs: Infinity });
  try {
    const { head, delegates, differences } = await compareWithNode(client, node, (done, of) =>
      progress.show(done, of),
    );
    progress.end();
    print(...differences.slice(0, LISTED_DIFFERENCES));
    if (differences.length > LISTED_DIFFERENCES) print(`and ${differences.length - LISTED_DIFFERENCES} more`);
    const verdict = differences.length === 0 ? 'nothing differs' : `${differences.length} values differ`;
    print(
      `Compared ${delegates} delegates and their voters with ${node.name} from block ${head.height} on: ${verdict}.`,
    );
    return differences.length === 0;
  } finally {
    progress.end();
    await node.close();
    await client.end();
  }
};

export const command = defineCommand({
  text: `Computes accounts, delegates, locks, rounds, the head's counters and the before-images from the stored blocks and
compares them with the tables row by row. It also checks the numbers of keys and addresses, each block's id, link, payload
hash, totals and, unless VERIFY=hash, signatures, that its generator had the slot, that it keeps the rules of the chain
except LENIENT_RULES, that each transaction has the id that its fields give, and that its row holds nothing that a source
could not have given. It cannot compute the ids of transactions of unknown types. It can run while an indexer writes.

It begins with the checkpoint: the state after the last block that was proven and can never be undone. First it raises
the checkpoint, step by step, then it compares the tables in one snapshot. Except for the checkpoint it changes nothing.
Blocks below the checkpoint are not read again, unless VERIFY=hash made it and signatures are to be checked now:
--from-genesis drops the checkpoint and begins with the first block. Of history, if the index has it, only what lies
above the checkpoint is compared; with --from-genesis all of it, which reads every block twice.

Every difference is listed: the table, the row, what was found and what was expected.`,
  examples: [
    ['indexer verify && echo sound', 'check what is new since the checkpoint, and the state'],
    ['indexer verify --from-genesis', 'check every stored block'],
    ['indexer verify --against https://node.example', 'compare with what a Core node has computed'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 if everything agrees, 1 if something differs, 2 if
it could not be checked. Ctrl-C ends it at once; the next run continues after the last step.`,
  options: {
    'from-genesis': {
      type: 'boolean',
      default: false,
      description: 'drop the checkpoint and verify every stored block',
    },
    against: {
      type: 'string',
      requiresArg: true,
      description:
        'URL: do not check the blocks and tables, but compare delegates, voters, weights and forged totals with the public API of a running Core node, each at a moment when node and index are at the same block (a Core 3 node has some weights wrong until it is restarted: docs/differences.md)',
    },
  },
  run: ({ against, 'from-genesis': fromGenesis }, environment) => {
    endAtFirstSignal('Stopped: the index is unchanged. "indexer verify" continues after the last step.');
    return exitCodeOfCheck(async () => {
      const { VERIFY: verification } = indexerSettings;
      const given = { ...databaseSettings, ...ruleSettings, VERIFY: verification };
      const settings = await readCommandSettings(given, environment);
      const { DATABASE_URL, VERIFY } = settings;
      if (against !== undefined) return verifyAgainst(DATABASE_URL, against);
      return verify(DATABASE_URL, rulesOf(settings), VERIFY === 'full', fromGenesis);
    });
  },
});
