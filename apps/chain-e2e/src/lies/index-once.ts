import { Writable } from 'node:stream';
import { readSettings } from '@roundhouse/config';
import { indexerSettings, startIndexer } from '@roundhouse/indexer';
import { createBlockSource } from '@roundhouse/source';
import { readPosition, readRefusedBlock } from '@roundhouse/storage';
import { eventually } from '@roundhouse/testing';
import pg from 'pg';
import { pino } from 'pino';

/** What an indexer logs of a broken rule that it accepts, or of a block that it refuses. */
export interface LoggedWarning {
  readonly rule?: string;
  readonly height?: number;
  readonly source?: string;
  readonly reason?: string;
}

export interface IndexedOnce {
  readonly head: number;
  /** The first refusal of the block above the head: by the ledger, or by the checks of its source. */
  readonly refused: LoggedWarning | null;
  readonly warnings: readonly LoggedWarning[];
}

/** Runs an indexer with default settings, but for these, until the block at `height` is in the index, or one is refused. */
export const indexOnce = async (
  databaseUrl: string,
  height: number,
  over: Readonly<Record<string, string>>,
): Promise<IndexedOnce> => {
  const settings = readSettings(indexerSettings, {
    DATABASE_URL: databaseUrl,
    OPS_PORT: '0',
    POLL_INTERVAL_MS: '50',
    ...over,
  });
  const warnings: LoggedWarning[] = [];
  const log = new Writable({
    write: (line: Buffer, _encoding, done) => {
      warnings.push(JSON.parse(line.toString()) as LoggedWarning);
      done();
    },
  });
  const indexer = await startIndexer(settings, pino({ level: 'warn' }, log), (of, network, events) =>
    createBlockSource({ urls: of.BLOCK_SOURCE, network, verify: of.VERIFY, ...events }),
  );
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  let seen: IndexedOnce = { head: 0, refused: null, warnings };
  try {
    await eventually(`block ${height} is indexed, or one is refused`, async () => {
      const logged = warnings.find((each) => each.height === height && each.reason !== undefined);
      const head = (await readPosition(client)).head?.height ?? 0;
      seen = { head, refused: logged ?? (await readRefusedBlock(client)), warnings };
      // A refusal is logged before the blocks below are committed.
      return head >= height || (seen.refused !== null && head === height - 1);
    });
    return seen;
  } finally {
    await client.end();
    await indexer.stop();
  }
};
