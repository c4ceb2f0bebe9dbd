#!/bin/sh
# Runs both halves of the front and tells the balancer the api's containers. About once a second it resolves the name of the
# service and asks each container whether it is ready. A container that is not ready gets requests only if none is ready.
# Stops gracefully on TERM, INT and QUIT. Ends when one of the halves ends, so that the engine restarts it.
set -eu

config=$(cd "$(dirname "$0")" && pwd)
name=${API_HOST:-api}
port=${API_PORT:-4003}
core_v1_port=${API_CORE_V1_PORT:-4001}
core_v2_port=${API_CORE_V2_PORT:-4002}
ops_port=${API_OPS_PORT:-4103}
servers=/tmp/api-servers.conf
ready=/tmp/ready

# Replaces the subshell that it runs in, so that $! is nginx itself.
nginx_of() { # half, further arguments of nginx
  half=$1
  shift
  exec nginx -p "$config" -c "$config/$half.conf" -e stderr "$@"
}

# The addresses of the name, one per line; none if the name is unknown.
addresses() {
  getent ahostsv4 "$name" | cut -d' ' -f1 | sort -u
}

# Prints those addresses of standard input that are ready.
only_ready() {
  rm -rf "$ready" && mkdir "$ready"
  while read -r address; do
    { curl -fs -m 1 -o /dev/null "http://$address:$ops_port/health/ready" && : >"$ready/$address"; } &
  done
  wait
  ls "$ready"
}

# Prints the balancer's servers in the form of its configuration.
current() {
  all=$(addresses)
  chosen=$(echo "$all" | grep . | only_ready)
  # If none is ready, use all: their own answers say why.
  chosen=${chosen:-$all}
  if [ -z "$chosen" ]; then
    echo 'server 127.0.0.1:1 down;'
  else
    echo "$chosen" | sed "s/.*/server &:$port max_fails=1 fail_timeout=2s;/"
  fi
}

# The same containers for the versions of Core, on their ports.
on_other_ports() {
  sed "s/:$port /:$core_v1_port /" "$servers" >/tmp/core-v1-servers.conf
  sed "s/:$port /:$core_v2_port /" "$servers" >/tmp/core-v2-servers.conf
}

rm -f /tmp/balancer.sock /tmp/core-v1.sock /tmp/core-v2.sock
current >"$servers"
on_other_ports
nginx_of balancer -g 'daemon off;' &
balancer=$!
nginx_of front -g 'daemon off;' &
front=$!

# Stops the front first, because its last answers go through the balancer. A child that gets a second signal stops at once,
# so the flag ignores further signals.
stopping=
stop() {
  [ -z "$stopping" ] || return 0
  stopping=yes
  kill -QUIT "$front" 2>/dev/null || true
  while kill -0 "$front" 2>/dev/null; do sleep 0.1; done
  kill -QUIT "$balancer" 2>/dev/null || true
  while kill -0 "$balancer" 2>/dev/null; do sleep 0.1; done
  exit 0
}
trap stop TERM INT QUIT

echo "front: $(grep -c : "$servers") of $name"
while kill -0 "$front" 2>/dev/null && kill -0 "$balancer" 2>/dev/null; do
  current >"$servers.new"
  if ! cmp -s "$servers" "$servers.new"; then
    mv "$servers.new" "$servers"
    on_other_ports
    echo "front: now $(tr -s '\n ' ' ' <"$servers")"
    kill -HUP "$balancer"
  fi
  sleep 1 &
  wait $! || true
done
echo 'front: one of the two nginx processes has ended' >&2
kill "$front" "$balancer" 2>/dev/null || true
exit 1
