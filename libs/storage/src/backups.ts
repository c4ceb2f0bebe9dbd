import type { ClientBase, Pool } from 'pg';

export interface Backup {
  readonly kind: string;
  readonly ageSeconds: number;
  /** How often one is made; 0 if none is expected. */
  readonly everySeconds: number;
}

/** What deploy/backup/backup.sh has recorded, and how PostgreSQL's archiver does. */
export interface BackupState {
  /** The newest backup of each kind; none if that script backs up nothing. */
  readonly newest: readonly Backup[];
  /** Time since WAL was archived last; 0 while none waits for it, null if it is not archived. */
  readonly walAgeSeconds: number | null;
}

// Complete segments wait for the archive, and an idle server completes none. Their names are in the order of their WAL.
const SELECT_STATE = `
SELECT to_regclass('backup.newest') IS NOT NULL AS recorded,
  CASE WHEN current_setting('archive_mode') = 'off' THEN NULL
    WHEN left(last_archived_wal, 24) COLLATE "C" >=
      pg_walfile_name(pg_current_wal_lsn() + 1 - pg_size_bytes(current_setting('wal_segment_size'))) THEN 0
    ELSE extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset))::float8 END AS "walAgeSeconds"
FROM pg_stat_archiver`;

const SELECT_NEWEST = `
SELECT kind, extract(epoch FROM clock_timestamp() - ended_at)::float8 AS "ageSeconds", every_seconds AS "everySeconds"
FROM backup.newest ORDER BY kind`;

export const readBackupState = async (db: Pool | ClientBase): Promise<BackupState> => {
  const { recorded, walAgeSeconds } = (
    await db.query<{ recorded: boolean; walAgeSeconds: number | null }>(SELECT_STATE)
  ).rows[0]!;
  return { newest: recorded ? (await db.query<Backup>(SELECT_NEWEST)).rows : [], walAgeSeconds };
};
