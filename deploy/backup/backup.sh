#!/bin/sh
# Backs up PostgreSQL into /backup. As a user who may connect without a password through PGHOST:
#   backup.sh schedule    makes base backups and dumps when they are due, until it is stopped
#   backup.sh base        a base backup, now; the archived WAL continues it
#   backup.sh dump        a dump, now
#   backup.sh list        what there is
#   backup.sh check       fails, and says why, if backups are overdue or WAL is not archived
set -eu
umask 077

query() { PGOPTIONS='-c client_min_messages=warning -c search_path=roundhouse,public' psql -XAtq -c "$1"; }

fail() {
  echo "$*" >&2
  exit 1
}

# The moment at which a backup has ended, rounded up: recover.sh takes a base backup that ended before the asked moment.
now() { date -u -d '1 second' +%Y%m%dT%H%M%SZ; }

# Moves a finished backup to its name; nothing half done ever has a name. The indexer reads backup.newest for its metrics.
finish() { # kind, seconds between two, folder, name
  finished=$3/$4
  mv -T "$3/.part" "$finished"
  sync "$3"
  query "
    CREATE SCHEMA IF NOT EXISTS backup;
    CREATE TABLE IF NOT EXISTS backup.newest (kind text PRIMARY KEY, ended_at timestamptz NOT NULL,
      every_seconds integer NOT NULL);
    GRANT USAGE ON SCHEMA backup TO PUBLIC;
    GRANT SELECT ON backup.newest TO PUBLIC;
    INSERT INTO backup.newest VALUES ('$1', now(), $2)
      ON CONFLICT (kind) DO UPDATE SET ended_at = excluded.ended_at, every_seconds = excluded.every_seconds"
  echo "$finished is complete: $(du -sh "$finished" | cut -f1)"
}

# Removes all but the newest backups of a folder.
keep() { # folder, count
  ls "$1" | head -n "-$2" | while read -r old; do
    mv -T "$1/$old" "$1/.part"
    rm -rf "$1/.part"
    echo "$1/$old is removed; the newest $2 are kept"
  done
}

make_base() {
  [ "$(query 'SHOW archive_mode')" = on ] ||
    fail 'PostgreSQL does not archive its WAL: set WAL_ARCHIVE=on in .env, then run docker compose up -d.'
  pg_basebackup --no-password -D "$base/.part" --format=tar --gzip --wal-method=stream --checkpoint=fast
  finish base "$BACKUP_EVERY" "$base" "$(now)"
  keep "$base" "$BACKUP_KEEP"
  # WAL is needed from the start of the oldest base backup on.
  oldest=$(ls "$base" | head -n 1)
  first=$(tar -xzf "$base/$oldest/base.tar.gz" --occurrence=1 -O backup_label |
    sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p')
  pg_archivecleanup -x .gz "$database/wal" "${first:?}"
}

make_dump() {
  # The queues are made again.
  pg_dump --no-password --format=custom --no-owner --no-privileges --no-unlogged-table-data \
    --exclude-schema=bullmq --exclude-schema=backup --file="$dumps/.part"
  pg_restore --list "$dumps/.part" >/dev/null
  finish dump "$DUMP_EVERY" "$dumps" "$(now).dump"
  keep "$dumps" "$DUMP_KEEP"
}

# Whether a folder has nothing that is younger than so many seconds.
is_older() { # folder, seconds
  [ -z "$(find "$1" -mindepth 1 -maxdepth 1 ! -name .part -newermt "@$(($(date +%s) - $2))")" ]
}

# Whether the newest base backup is of another timeline, so that it was made before the last restore.
is_restored() {
  newest=$(ls "$base" | tail -n 1)
  timeline=$(query 'SELECT timeline_id FROM pg_control_checkpoint()')
  [ -n "$newest" ] && ! grep -q "\"Timeline\": ${timeline:?}," "$base/$newest/backup_manifest"
}

# A dump before the first block would have to do until the next.
has_blocks() { [ -n "$(query 'SELECT height FROM head' 2>/dev/null)" ]; }

check() {
  is_older "$base" "$((2 * BACKUP_EVERY))" && fail "There is no base backup of the last $((2 * BACKUP_EVERY)) seconds."
  [ "$DUMP_EVERY" = 0 ] || ! is_older "$dumps" "$((2 * DUMP_EVERY))" || ! has_blocks ||
    fail "There is no dump of the last $((2 * DUMP_EVERY)) seconds."
  [ "$(query "SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
    FROM pg_stat_archiver")" = f ] ||
    fail 'WAL cannot be archived: the log of postgres says why.'
}

schedule() {
  trap 'exit 0' INT TERM
  while :; do
    for kind in base dump; do
      sh "$0" "due-$kind" || echo "The $kind was not made; the next try is in a minute." >&2
    done
    sleep 60 &
    wait $!
  done
}

command=${1:-schedule}
[ "$command" != schedule ] || schedule

[ "$BACKUP_KEEP" -ge 1 ] && [ "$DUMP_KEEP" -ge 1 ] || fail 'BACKUP_KEEP and DUMP_KEEP must be 1 or more.'
database=/backup/$(query 'SELECT system_identifier FROM pg_control_system()')
base=$database/base
dumps=/backup/dumps
mkdir -p "$base" "$dumps" "$database/wal"

case $command in
  base | dump | due-*)
    # One at a time. What a run that was killed has left is of no use.
    exec 9>/backup/.lock
    flock 9
    rm -rf "$base/.part" "$dumps/.part"
    ;;
esac
case $command in
  base) make_base ;;
  dump) make_dump ;;
  due-base) ! is_older "$base" "$BACKUP_EVERY" && ! is_restored || make_base ;;
  due-dump) [ "$DUMP_EVERY" = 0 ] || ! is_older "$dumps" "$DUMP_EVERY" || ! has_blocks || make_dump ;;
  list) find /backup/*/base "$dumps" -mindepth 1 -maxdepth 1 ! -name .part | sort ;;
  check) check ;;
  *) fail "There is no command \"$command\": use schedule, base, dump, list or check." ;;
esac
