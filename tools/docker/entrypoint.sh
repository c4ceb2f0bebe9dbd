#!/bin/sh
# Turns the container's command into the program that it names.
case "$1" in
  api | indexer | devnet)
    program=$1
    shift
    exec node "/app/apps/$program/dist/main.js" "$@"
    ;;
  sync | status | verify | rebuild | rollback | export | digest | migrate | reset | completion)
    exec node /app/apps/indexer/dist/main.js "$@"
    ;;
  *)
    echo "There is no command \"$1\": the commands are api, indexer, devnet, and those of the indexer (indexer --help)." >&2
    exit 1
    ;;
esac
