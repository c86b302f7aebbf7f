#!/bin/sh
# Collects what a Flink cluster needs: lib/ for Flink's own lib/, and the job jar.
# Usage: jars.sh FOLDER
set -eu
folder=$1
cd "$(dirname "$0")/.."
mkdir -p "$folder/lib"
folder=$(CDPATH='' cd -- "$folder" && pwd)

if command -v mvn >/dev/null 2>&1; then mvn=mvn; else mvn=./mvnw; fi
maven() {
    "$mvn" -B -ntp -q -DskipTests -Dmaven.test.skip=true -Dspotless.skip=true "$@"
}
maven -pl examples -am package
# Flink brings its own SLF4J and logging.
maven -pl flink-gpu-operators -am package dependency:copy-dependencies \
    -DincludeScope=runtime -DexcludeGroupIds=org.slf4j,io.flinkgpu -DoutputDirectory="$folder/lib"

# The jar of a module, without its version.
copy() {
    for jar in "$1"/target/"$2"-[0-9]*.jar; do
        case $jar in
            *-tests.jar) ;;
            *) cp "$jar" "$3/$2.jar" ;;
        esac
    done
}
copy kernels flink-gpu-kernels "$folder/lib"
copy flink-gpu-operators flink-gpu-operators "$folder/lib"
copy examples flink-gpu-examples "$folder"
