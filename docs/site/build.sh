#!/bin/sh
# Builds the documentation site from the pages of this repository. With `serve` it serves it too, on this machine.
set -eu
cd "$(dirname "$0")"

case "${1:-}" in
    '' | serve) ;;
    *) echo "build.sh: unknown argument $1; usage: docs/site/build.sh [serve]" >&2; exit 2 ;;
esac
command -v npm > /dev/null || { echo "build.sh: npm is not on the PATH: install Node.js 20.10 or newer" >&2; exit 1; }

if ! [ node_modules/.package-lock.json -nt package-lock.json ]; then
    npm ci
fi
node_modules/.bin/vitepress build
echo "the site is in $PWD/build"
if [ "${1:-}" = serve ]; then
    exec node_modules/.bin/vitepress preview
fi
echo "to read it: docs/site/build.sh serve, then http://localhost:4173/"
