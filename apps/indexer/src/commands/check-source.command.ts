import { misspelt, readSettings } from '@roundhouse/config';
import { jsonLines, print, printError } from '@roundhouse/logging';
import { loadNetwork, probeSources } from '@roundhouse/source';
import { defineCommand, type Environment } from '../command-line/command.js';
import { endAtFirstSignal } from '../command-line/ending.js';
import { indexerSettings, ruleSettings, rulesOf } from '../indexer.config.js';
import { sourceLines } from './source-lines.js';

const { BLOCK_SOURCE, NETWORK, VERIFY, FORGERS, FINAL_HEIGHT, FINAL_BLOCK_ID } = indexerSettings;
const ofEnd = { FINAL_HEIGHT, FINAL_BLOCK_ID };
const settingsOfSources = { BLOCK_SOURCE, NETWORK, VERIFY, FORGERS, ...ofEnd, ...ruleSettings };

/** Returns the exit code. */
const check = async (environment: Environment, asJson: boolean): Promise<number> => {
  printError(...misspelt(settingsOfSources, environment));
  const settings = readSettings(settingsOfSources, environment);
  endAtFirstSignal('Stopped: nothing was stored.');
  const network = settings.NETWORK === undefined ? null : await loadNetwork(settings.NETWORK);
  const { FINAL_HEIGHT: height, FINAL_BLOCK_ID: id } = settings;
  const reports = await probeSources({
    urls: settings.BLOCK_SOURCE,
    network,
    verify: settings.VERIFY,
    forgers: settings.FORGERS,
    rules: rulesOf(settings),
    end: height ? { height, id } : null,
    onPause: ({ source, reason, durationMs }) =>
      printError(`${source} ${reason}: waiting ${Math.ceil(durationMs / 1_000)} s.`),
    onSlowArchive: (advice) => printError(advice),
  });
  const areUsable = reports.every(({ problems }) => problems.length === 0);
  if (asJson) print(...jsonLines({ usable: areUsable, sources: reports }));
  else print(...reports.flatMap((report, index) => [...(index > 0 ? [''] : []), ...sourceLines(report)]));
  return areUsable ? 0 : 1;
};

export const command = defineCommand({
  text: `Tries out each source in BLOCK_SOURCE for some seconds, as an indexer would use it: its line and version, the
network, the height and the age of the newest block, the genesis block, how fast blocks can be read and checked, the rate
limit, the time to read all blocks, how its clock differs, and everything by which it cannot be indexed. It applies the
first round to a ledger, and checks the blocks around changes of rules and at some places in between. It needs no
database and stores nothing. It uses requests of the node's limit, mostly less than 40.`,
  examples: [
    ['BLOCK_SOURCE=https://node.example indexer check-source', "a node's public API"],
    ['BLOCK_SOURCE=file:chain.ndjson.gz NETWORK=mainnet indexer check-source', 'an archive'],
    ["indexer check-source --json | jq '.sources[].problems'", 'for programs'],
  ],
  closing: `Needs BLOCK_SOURCE; NETWORK if no source is a node's API. As an indexer does, it verifies all signatures, so nobody but the
delegates could have made the blocks. With VERIFY=hash it does not, and a lying source could invent blocks in their names.

Exit code: 0 if every source can be used, 1 if not: the rows "problem" say why and what to do.`,
  options: {
    json: { type: 'boolean', default: false, description: 'one JSON object with a report for each source' },
  },
  run: ({ json }, environment) => check(environment, json),
});
