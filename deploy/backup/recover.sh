#!/bin/sh
# Restores PostgreSQL's empty data folder from /backup, replays the archived WAL, and ends:
#   recover.sh                                to the end of the archived WAL
#   recover.sh '2026-11-23 08:07:47+00'       to a moment
#   recover.sh '2026-11-23 08:07:47+00' 1     to a moment of timeline 1, which an earlier restore has left
set -eu
umask 077
data=/var/lib/postgresql/data

if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres -m 700 "$data"
  exec setpriv --reuid postgres --regid postgres --init-groups sh "$0" "$@"
fi

fail() {
  echo "$*" >&2
  exit 1
}

[ -z "$(ls -A "$data")" ] || fail 'The data folder is not empty. Remove the container and the volume of postgres first.'

until=
[ $# -eq 0 ] || until=$(date -u -d "$1" '+%Y-%m-%d %H:%M:%S.%6N+00') || fail 'Name the moment as 2026-11-23 08:07:47+00.'
stamp=$(date -u -d "${until:-now}" +%Y%m%dT%H%M%SZ)
# /backup/DATABASE/base/MOMENT: the newest that ended before the asked moment.
backup=$(ls -d /backup/*/base/* 2>/dev/null | awk -F/ -v stamp="$stamp" '$5 <= stamp' | sort -t/ -k5 | tail -n 1)
[ -n "$backup" ] || fail "No base backup ended before ${until:-now}. There are: $(ls -d /backup/*/base/* 2>/dev/null || echo none)"

echo "restoring $backup"
# First: without a restore_command, a server that is started too early refuses to run.
touch "$data/recovery.signal"
tar -xzf "$backup/base.tar.gz" -C "$data"
tar -xzf "$backup/pg_wal.tar.gz" -C "$data/pg_wal"
pg_verifybackup --no-parse-wal --manifest-path="$backup/backup_manifest" "$data"

echo "replaying WAL until ${until:-its end}"
archived=${backup%/base/*}/wal/%f.gz
set -- "recovery_target_timeline=${2:-latest}"
[ -z "$until" ] || set -- "$@" "recovery_target_time=$until"
# Above 125: damaged WAL is not the end of WAL.
set -- "$@" "restore_command=test -f $archived && { gzip -dc $archived >%p || exit 200; }"
# The new timeline must get into the archive. Without hot_standby, the server is ready when it has recovered.
for setting in recovery_target_action=promote hot_standby=off listen_addresses= unix_socket_directories=/tmp \
  archive_mode=on 'archive_command=sh /etc/roundhouse/archive-wal.sh %p %f'; do
  set -- "$@" "$setting"
done
for setting; do
  set -- "$@" -c "$setting"
  shift
done
postgres -D "$data" "$@" &
server=$!
until sed -n 8p "$data/postmaster.pid" 2>/dev/null | grep -q ready; do
  kill -0 "$server" 2>/dev/null || fail 'The server ended; its last lines say why. Remove the volume of postgres before the next try.'
  sleep 1
done
head=$(PGOPTIONS='-c search_path=roundhouse,public' psql -XAtq -h /tmp -c 'SELECT height FROM head' 2>/dev/null || echo none)
pg_ctl -D "$data" -m fast stop
wait "$server"
echo "Restored. The newest block is $head. Start the stack again; blocks after this one come from the chain."
