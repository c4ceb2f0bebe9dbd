#!/usr/bin/env bash
# Checks configuration and alert rules with promtool (Debian: apt-get install prometheus), and plays the alerts through.
set -eu
cd "$(dirname "$0")/../deploy/monitoring/prometheus"
command -v promtool >/dev/null || {
  echo 'promtool is missing: apt-get install prometheus brings it, or take it from a release of Prometheus.' >&2
  exit 1
}
promtool check config prometheus.yml
# Debian's promtool is built without Kubernetes: here other targets stand in for the pods, and which pods are taken is
# tried in tools/src/monitoring/kubernetes-discovery.spec.ts.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp roundhouse.rules.yml "$folder"
sed -e 's/kubernetes_sd_configs:/static_configs:/' -e 's/- role: pod$/- targets: [pod:4104]/' \
  prometheus.kubernetes.yml >"$folder/prometheus.kubernetes.yml"
promtool check config "$folder/prometheus.kubernetes.yml"
promtool check rules roundhouse.rules.yml
promtool test rules roundhouse.rules.test.yml
