import { jsonLines, linesOf, print, printError } from '@roundhouse/logging';
import { setTimeout as wait } from 'node:timers/promises';
import { defineCommand } from '../command-line/command.js';
import { readCommandSettings } from '../command-line/database-settings.js';
import { stopSignal } from '../command-line/ending.js';
import { readStatus, statusJson, statusSettings, type Status, type StatusSettings } from './read-status.js';
import { statusLine, statusLines } from './status-lines.js';

const LOOK_EACH_MS = 1_000;

const CLEAR = '\x1b[H\x1b[2J';

/** On a terminal the whole text replaces the one before; elsewhere each change is a line. */
const showChange = (status: Status, asJson: boolean): void => {
  if (asJson) print(JSON.stringify(statusJson(status)));
  else if (process.stdout.isTTY) {
    process.stdout.write(CLEAR);
    print(...statusLines(status, new Date()));
  } else print(statusLine(status, new Date()));
};

const watch = async (settings: StatusSettings, asJson: boolean, signal: AbortSignal): Promise<void> => {
  let shown = '';
  while (!signal.aborted) {
    try {
      const status = await readStatus(settings);
      const isRedrawn = process.stdout.isTTY && !asJson;
      const now = JSON.stringify({ ...statusJson(status), source: status.index?.source?.height });
      if (isRedrawn || now !== shown) showChange(status, asJson);
      shown = now;
    } catch (error) {
      const problem = linesOf(error);
      if (problem.join() !== shown) printError(...problem);
      shown = problem.join();
    }
    await wait(LOOK_EACH_MS, undefined, { signal }).catch(() => undefined);
  }
};

export const command = defineCommand({
  text: `Shows the head and its age, the source's height when an indexer last asked for it, the lag between the two, the
round, the supply, the indexes that a first sync still lacks, staged blocks, the jobs in the queues, whether an indexer
writes, and whether the schema is the one that this version needs. It changes nothing and may run at any time.`,
  examples: [
    ['indexer status', 'once, for people'],
    ['indexer status --watch', 'repeatedly, until Ctrl-C'],
    ['indexer status --json | jq .lag', 'for programs; the supply is decimal text, so that no digit is lost'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role; REDIS_URL if the queues are in Redis.

Exit code: 0 if the status could be read (also if the index lags), 1 if not.`,
  options: {
    json: {
      type: 'boolean',
      default: false,
      description: 'one JSON object; with --watch one per line, at each change',
    },
    watch: { type: 'boolean', default: false, alias: 'w', description: 'continue, reading once a second' },
  },
  run: async ({ json, watch: isWatching }, environment) => {
    const settings = await readCommandSettings(statusSettings, environment);
    if (isWatching) {
      const ended = new AbortController();
      void stopSignal(() => undefined).then(() => ended.abort());
      await watch(settings, json, ended.signal);
      return 0;
    }
    const now = await readStatus(settings);
    print(...(json ? jsonLines(statusJson(now)) : statusLines(now, new Date())));
    return 0;
  },
});
