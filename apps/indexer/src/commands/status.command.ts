import { setTimeout as wait } from 'node:timers/promises';
import { readCommandSettings } from '../command-line/database-settings.js';
import { stopSignal } from '../command-line/stop-signals.js';
import { statusSettings, type StatusSettings } from '../status.config.js';
import { messageOf } from './error-message.js';
import { readStatus, type Status } from './read-status.js';
import { statusJson } from './status-json.js';
import { statusLine, statusPage } from './status-page.js';

export interface StatusOptions {
  readonly asJson: boolean;
  readonly isWatching: boolean;
}

const LOOK_EACH_MS = 1_000;

const CLEAR = '\x1b[H\x1b[2J';

/** Writes what changed: the whole page anew on a terminal, a line elsewhere. */
const showChange = (status: Status, asJson: boolean): void => {
  if (asJson) console.log(JSON.stringify(statusJson(status)));
  else if (process.stdout.isTTY) process.stdout.write(`${CLEAR}${statusPage(status, new Date())}\n`);
  else console.log(statusLine(status, new Date()));
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
      const problem = messageOf(error);
      if (problem !== shown) console.error(problem);
      shown = problem;
    }
    await wait(LOOK_EACH_MS, undefined, { signal }).catch(() => undefined);
  }
};

/** Says how far the index is: once, or again and again until a signal comes. Gives the exit code. */
export const status = async (
  environment: Readonly<Record<string, string | undefined>>,
  { asJson, isWatching }: StatusOptions,
): Promise<number> => {
  const settings = await readCommandSettings(statusSettings, environment);
  if (isWatching) {
    const ended = new AbortController();
    void stopSignal(() => undefined).then(() => ended.abort());
    await watch(settings, asJson, ended.signal);
    return 0;
  }
  const now = await readStatus(settings);
  console.log(asJson ? JSON.stringify(statusJson(now), null, 2) : statusPage(now, new Date()));
  return 0;
};
