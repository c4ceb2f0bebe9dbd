#!/bin/sh
# Runs a command with another version of Node, whose binary npm brings: tools/with-node.sh 24 npm run test:e2e
set -eu
version=$1
shift
# Not the package "node", whose script at its installation would fetch this one.
package="node-$(node -p 'process.platform + "-" + process.arch')@$version"
exec npx --yes --package="$package" -- "$@"
