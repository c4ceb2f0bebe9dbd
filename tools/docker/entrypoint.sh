#!/bin/sh
# Runs the program that the container's command names.
case "$1" in
  api | indexer | devnet)
    program=$1
    shift
    # Without them, V8 lets garbage lie. They leave room in 512 MiB for what is not V8's: buffers, ready answers, code.
    if [ "$program" = api ]; then
      export NODE_OPTIONS="--max-old-space-size=192 --max-semi-space-size=16 ${NODE_OPTIONS:-}"
    fi
    exec node "/app/apps/$program/dist/main.js" "$@"
    ;;
  run | sync | status | check-source | verify | rebuild | rollback | export | statement | certificate | snapshot | digest | migrate | reset | completion | -*)
    exec node /app/apps/indexer/dist/main.js "$@"
    ;;
  *)
    echo "There is no command \"$1\": use api, indexer, devnet, or a command of the indexer (see indexer --help)." >&2
    exit 1
    ;;
esac
