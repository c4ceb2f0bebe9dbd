import { execFileSync } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildMissingIndexes, migrate } from '@roundhouse/entities';
import { freePort, withClient } from '@roundhouse/local-postgres';
import { startPostgres } from './test-postgres.js';

/** The data need not survive a crash. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };

export interface ReplicatedPostgres {
  /** A migrated database, with the rights of a superuser. */
  readonly primaryUrl: string;
  /** The same database on the replica. */
  readonly replicaUrl: string;
  stop(): Promise<void>;
}

/** Copies the cluster of a stopped server as one that follows another. */
const copyAsReplica = (from: string, to: string): void => {
  execFileSync('cp', ['-a', join(from, 'cluster'), join(from, 'password'), to]);
  const data = join(to, 'cluster', 'data');
  const signal = join(data, 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(data);
  if (process.getuid?.() === 0) chownSync(signal, uid, gid);
};

/**
 * Starts a PostgreSQL and a streaming replica of it. Replay never waits for readings on the replica: it cancels those
 * that are in its way.
 */
export const startReplicatedPostgres = async (): Promise<ReplicatedPostgres> => {
  const port = await freePort();
  const empty = await startPostgres({ port });
  await migrate(empty.url);
  await withClient(empty.url, buildMissingIndexes);
  await empty.stop();
  const { directory } = empty;
  const replicaFolder = await mkdtemp(join(tmpdir(), 'roundhouse-replica-'));
  copyAsReplica(directory, replicaFolder);
  const primary = await startPostgres({ port, directory, settings: SETTINGS });
  const { username, password } = new URL(primary.url);
  const replica = await startPostgres({
    directory: replicaFolder,
    settings: {
      ...SETTINGS,
      primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
      max_standby_streaming_delay: 0,
    },
  });
  return {
    primaryUrl: primary.url,
    replicaUrl: replica.url,
    stop: async () => {
      await replica.remove();
      await primary.remove();
    },
  };
};
