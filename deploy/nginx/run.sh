#!/bin/sh
# Runs both halves of the front, and tells the balancer which containers of the api there are: about once a second the name
# of the service is looked up and each container asked whether it is ready. One that is not gets no requests, as long as
# another is ready. Stops gracefully on TERM, INT and QUIT; ends when one of the halves does, so that it is started anew.
set -eu

config=$(cd "$(dirname "$0")" && pwd)
name=${API_HOST:-api}
port=${API_PORT:-4003}
ops_port=${API_OPS_PORT:-4103}
servers=/tmp/api-servers.conf
ready=/tmp/ready

# In place of the subshell that it is run in, so that $! is nginx itself.
nginx_of() { # half, further arguments of nginx
  half=$1
  shift
  exec nginx -p "$config" -c "$config/$half.conf" -e stderr "$@"
}

# The addresses that have the name, one a line; none while the name is unknown.
addresses() {
  getent ahostsv4 "$name" | cut -d' ' -f1 | sort -u
}

# Of the addresses on standard input those that are ready.
only_ready() {
  rm -rf "$ready" && mkdir "$ready"
  while read -r address; do
    { curl -fs -m 1 -o /dev/null "http://$address:$ops_port/health/ready" && : >"$ready/$address"; } &
  done
  wait
  ls "$ready"
}

# The servers of the balancer, as its configuration names them.
current() {
  all=$(addresses)
  chosen=$(echo "$all" | grep . | only_ready)
  # Where none is ready, they say themselves why not.
  chosen=${chosen:-$all}
  if [ -z "$chosen" ]; then
    echo 'server 127.0.0.1:1 down;'
  else
    echo "$chosen" | sed "s/.*/server &:$port max_fails=1 fail_timeout=2s;/"
  fi
}

rm -f /tmp/balancer.sock
current >"$servers"
nginx_of balancer -g 'daemon off;' &
balancer=$!
nginx_of front -g 'daemon off;' &
front=$!

# The front first: what it still has to answer goes through the balancer. A child that is told twice stops at once, so the
# flag keeps a second signal out.
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
    echo "front: now $(tr -s '\n ' ' ' <"$servers")"
    kill -HUP "$balancer"
  fi
  sleep 1 &
  wait $! || true
done
echo 'front: one of its halves has ended' >&2
kill "$front" "$balancer" 2>/dev/null || true
exit 1
