import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppProcess, withClient } from '@roundhouse/local-postgres';
import { fire } from '../api/load.js';
import type { Bench } from '../bench.config.js';
import { rounded } from '../statistics.js';
import { NO_CACHE, withApi } from '../with-program.js';

/** The indexer's usual one. */
const UNDO_DEPTH = 10_000;

/** How often the memory of a command is looked at. */
const LOOK_MS = 100;

interface Subject {
  /** The newest height that can no longer be undone. */
  readonly height: number;
  /** The account that sent most. */
  readonly address: string;
}

const SELECT_SUBJECT = `
SELECT height - ${UNDO_DEPTH} AS height, (SELECT address FROM accounts ORDER BY nonce DESC LIMIT 1) AS address FROM head`;

/** The command adds to what is at the same place. */
const NEXT = 'next ';

/** What an operator runs when a chain ends, by name, with the place for what it writes. */
const COMMANDS: Readonly<Record<string, (place: string, subject: Subject) => readonly string[]>> = {
  certificate: (place, { height }) => ['certificate', '--height', String(height), '--out', place],
  statement: (_, { address }) => ['statement', '--account', address],
  parquet: (place) => ['export', '--format', 'parquet', '--to', place],
  'archive.gz': (place) => ['export', '--out', place],
  snapshot: (place) => ['snapshot', 'create', '--file', place],
  [`${NEXT}snapshot`]: (place) => ['snapshot', 'create', '--file', place],
};

const sizeOf = async (path: string): Promise<number> => {
  const files = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (files === null) return (await stat(path).catch(() => null))?.size ?? 0;
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
};

/** Runs a command of the indexer to its end. */
const measured = async (databaseUrl: string, command: readonly string[]) => {
  let written = 0;
  const begun = performance.now();
  const program = new AppProcess(
    'indexer',
    command,
    { DATABASE_URL: databaseUrl },
    { stderr: 'inherit', hear: (text) => (written += text.length) },
  );
  const seen = { rssMiB: 0, cpuSeconds: 0 };
  while (!program.hasEnded) {
    seen.rssMiB = program.peakMiB ?? seen.rssMiB;
    seen.cpuSeconds = program.cpuSeconds || seen.cpuSeconds;
    await wait(LOOK_MS);
  }
  const { code } = await program.ended;
  if (code !== 0) throw new Error(`"indexer ${command.join(' ')}" ended with ${code}.`);
  return { seconds: rounded((performance.now() - begun) / 1_000, 1), ...seen, written };
};

/** Measures each command (time, processor time, memory, size), and the time of a proof of an account. */
export const benchArchive = async (bench: Bench, databaseUrl: string) => {
  const { rows } = await withClient(databaseUrl, (client) => client.query<Subject>(SELECT_SUBJECT));
  const subject = rows[0]!;
  const folder = await mkdtemp(join(bench.cache, 'archive-'));
  try {
    const commands: Record<string, object> = {};
    for (const [name, commandOf] of Object.entries(COMMANDS)) {
      const place = join(folder, name.replace(NEXT, ''));
      const before = await sizeOf(place);
      const { written, ...figures } = await measured(databaseUrl, commandOf(place, subject));
      const bytes = Math.max(written, (await sizeOf(place)) - before);
      commands[name] = { ...figures, mebibytes: rounded(bytes / 2 ** 20, 1) };
    }
    const proofMs = await withApi(databaseUrl, NO_CACHE, async ({ url }) => {
      const path = `/api/accounts/${subject.address}/proof?height=${subject.height}`;
      return rounded((await fire(url, () => path, bench)).latency(0.95), 1);
    });
    return { commands, proofMs };
  } finally {
    await rm(folder, { recursive: true });
  }
};
