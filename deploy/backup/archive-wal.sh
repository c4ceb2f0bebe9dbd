#!/bin/sh
# PostgreSQL's archive_command, run in its data folder: archive-wal.sh PATH NAME. It succeeds only when the segment is in the
# archive and on the disk; PostgreSQL keeps the segment and tries again until then.
set -eu
umask 077

# A folder for each database, by its identifier: one that was made anew must not write between the segments of the last.
database=$(LC_ALL=C pg_controldata . | sed -n 's/^Database system identifier: *//p')
folder=/backup/${database:?}/wal
archived=$folder/$2.gz
mkdir -p "$folder"

if [ -e "$archived" ]; then
  # After a crash PostgreSQL may offer a segment again.
  gzip -dc "$archived" | cmp -s - "$1" || {
    echo "$archived exists with other contents: two servers archive the same database. Stop one of them." >&2
    exit 1
  }
else
  gzip -1 <"$1" >"$archived.part"
  sync "$archived.part"
  mv "$archived.part" "$archived"
fi
sync "$folder"
