#!/bin/sh
# Dumps the index into the current folder, then deletes all but the newest KEEP dumps.
set -eu
umask 077

# A job that was ended leaves an incomplete dump. No two jobs run at once.
rm -f ./*.part
dump="roundhouse-$(date -u +%Y%m%dT%H%M%SZ).dump"
# Staged ranges and queues are created again.
pg_dump --dbname="$(cat "$DATABASE_URL_FILE")" --format=custom --no-owner --no-privileges \
  --no-unlogged-table-data --exclude-schema=bullmq --file="$dump.part"
pg_restore --list "$dump.part" >/dev/null
mv "$dump.part" "$dump"
ls roundhouse-*.dump | sort -r | tail -n "+$((KEEP + 1))" | xargs -r rm --
ls -l .
