#!/usr/bin/env bash
# Checks the configuration and runs the tests of the alert rules with promtool (Debian: apt-get install prometheus).
set -eu
cd "$(dirname "$0")/../deploy/monitoring/prometheus"
command -v promtool >/dev/null || {
  echo 'promtool is missing: run apt-get install prometheus, or use a release of Prometheus.' >&2
  exit 1
}
promtool check config prometheus.yml
# Debian's promtool is built without Kubernetes, so static targets replace the pods here. Which pods are discovered is
# tested in tools/src/monitoring/kubernetes-discovery.spec.ts.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp roundhouse.rules.yml "$folder"
sed -e 's/kubernetes_sd_configs:/static_configs:/' -e 's/- role: pod$/- targets: [pod:4104]/' \
  prometheus.kubernetes.yml >"$folder/prometheus.kubernetes.yml"
promtool check config "$folder/prometheus.kubernetes.yml"
promtool check rules roundhouse.rules.yml
promtool test rules roundhouse.rules.test.yml
