#!/bin/sh
# Replaces the api's containers one by one with containers of the image that docker-compose.yml names now. Each new one must
# be ready before an old one stops, so no request waits. Run it in the folder of docker-compose.yml, with the environment
# and the options of the stack, for example: deploy/roll-api.sh --profile devnet
set -eu

if docker compose version >/dev/null 2>&1; then
  compose() { docker compose "$@"; }
else
  compose() { docker-compose "$@"; }
fi

wait_seconds=${ROLL_WAIT_SECONDS:-120}

# Waits until a new container is healthy. If it does not become healthy, prints its output and removes it.
wait_until_healthy() {
  for _ in $(seq "$wait_seconds"); do
    [ "$(docker inspect -f '{{.State.Health.Status}}' "$1")" = healthy ] && return
    sleep 1
  done
  echo "The new container was not ready within $wait_seconds s and is removed; the remaining ones keep running. Its output:" >&2
  docker inspect -f '{{range .State.Health.Log}}{{println .Output}}{{end}}' "$1" | grep . | tail -1 >&2
  docker logs --tail 5 "$1" >&2
  docker rm -f "$1" >/dev/null
  exit 1
}

old=$(compose "$@" ps -q api)
count=$(echo "$old" | grep -c .) || { echo 'No api is running: start the stack first.' >&2; exit 1; }
for container in $old; do
  before=$(compose "$@" ps -q api)
  compose "$@" up -d --no-deps --no-recreate --scale "api=$((count + 1))" api
  for candidate in $(compose "$@" ps -q api); do
    case $before in *"$candidate"*) ;; *) wait_until_healthy "$candidate" ;; esac
  done
  docker stop -t 15 "$container" >/dev/null
  docker rm "$container" >/dev/null
  echo "replaced $(echo "$container" | cut -c1-12)"
done
