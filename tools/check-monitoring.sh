#!/usr/bin/env bash
# Checks configuration and alert rules with promtool (Debian: apt-get install prometheus), and plays the alerts through.
# Debian's promtool is built without Kubernetes, so prometheus.kubernetes.yml is left to others.
set -eu
cd "$(dirname "$0")/../deploy/monitoring/prometheus"
command -v promtool >/dev/null || {
  echo 'promtool is missing: apt-get install prometheus brings it, or take it from a release of Prometheus.' >&2
  exit 1
}
promtool check config prometheus.yml
promtool check rules roundhouse.rules.yml
promtool test rules roundhouse.rules.test.yml
