#!/bin/sh
# Runs what gpu-bundle.sh packed. WRAP puts a tool in front of Java: WRAP="compute-sanitizer" sh run.sh contract
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=${BUNDLE_HOME:-$here/unpacked}
usage="commands are contract, fuzz, smoke, bench, keys, peers, search, lookup, log-redaction, windows, sensor-windows,
generate-measurements, one-billion-rows, generate-documents, set-search, near-duplicates and java;
bench, keys, peers, search and lookup have --help"
case ${1:-contract} in
  contract | fuzz | smoke | bench | keys | peers | search | lookup) ;;
  log-redaction | windows | sensor-windows) ;;
  generate-measurements | one-billion-rows | generate-documents | set-search) ;;
  near-duplicates | java) ;;
  --help | -h)
    echo "usage: sh run.sh [COMMAND] [ARGUMENTS], contract without any"
    echo "$usage"
    exit 0
    ;;
  *)
    echo "run.sh: unknown command '$1': $usage" >&2
    exit 2
    ;;
esac
if [ ! -d "$home/jre" ] && [ ! -e "$here/bundle.tar.xz.aa" ]; then
  echo "run.sh: no bundle.tar.xz.* in '$here': start it in the folder that gpu-bundle.sh made" >&2
  exit 2
fi
if [ ! -d "$home/jre" ]; then
  mkdir -p "$home"
  cat "$here"/bundle.tar.xz.* | xz -dc -T0 | tar -C "$home" -xf -
  # The classes of Java itself, which a runtime made by jlink of JDK 17 comes without.
  "$home/jre/bin/java" -Xshare:dump > /dev/null 2>&1 || true
fi
# Classes in the folders, where someone put them, come before those of the jars.
class_path=$home/applications:$home/test-classes:$home/classes:$home/kernels:$home/lib/*
java() {
  # shellcheck disable=SC2086
  ${WRAP:-} "$home/jre/bin/java" -Xmx8g --add-opens=java.base/java.nio=ALL-UNNAMED \
    -Dgpu.required=true ${JAVA_ARGS:-} -cp "$class_path" "$@"
}
# An application, its classes from an archive that a first run over one line makes.
application() {
  main=io.flinkgpu.applications.$1
  option=$2
  line=$3
  shift 3
  archive=$home/$main.jsa
  JAVA_ARGS="-XX:+UseParallelGC ${JAVA_ARGS:-}"
  # A class path with folders can have no archive.
  if [ -d "$home/applications" ] || [ -d "$home/classes" ]; then
    java "$main" "$@"
    return
  fi
  class_path="$home/lib/*"
  if [ ! -e "$archive" ]; then
    training=$(mktemp -d)
    echo "$line" > "$training/in"
    if (
      JAVA_ARGS="-XX:ArchiveClassesAtExit=$training/jsa $JAVA_ARGS"
      java "$main" "$option" "$training/in" --output "$training/out" --parallelism 2
    ) > "$training/log" 2>&1; then
      mv "$training/jsa" "$archive"
    else
      : > "$archive"
    fi
    rm -rf "$training"
  fi
  [ ! -s "$archive" ] || JAVA_ARGS="-XX:SharedArchiveFile=$archive $JAVA_ARGS"
  java "$main" "$@"
}
tests() {
  java org.junit.platform.console.ConsoleLauncher execute --details=${DETAILS:-tree} \
    --disable-banner --fail-if-no-tests "$@"
}
command=${1:-contract}
[ $# -eq 0 ] || shift
case $command in
  contract) tests --include-tag=gpu --scan-class-path="$home/test-classes" "$@" ;;
  fuzz)
    JAVA_ARGS="-Dfuzz.pairs=${1:-1000000} ${JAVA_ARGS:-}"
    tests --select-class=io.flinkgpu.oracle.CudaFuzzTest
    ;;
  smoke) tests --select-class=io.flinkgpu.backend.cuda.CudaSmokeTest ;;
  bench | keys | peers | search | lookup)
    JAVA_ARGS="-Dbench.commit=$(cat "$home/commit") -Dbench.cudf=$home/cudf ${JAVA_ARGS:-}"
    # What draws text may be missing here.
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$home/native
    export LD_LIBRARY_PATH
    case $command in
      bench) java io.flinkgpu.bench.Bench "$@" ;;
      keys)
        if [ ! -d "$home/keys" ] && [ -e "$here/keys.tar.xz.aa" ]; then
          cat "$here"/keys.tar.xz.* | xz -dc -T0 | tar -C "$home" -xf -
        fi
        class_path="$class_path:$home/keys/*"
        # All of the heap is resident, so that what is resident beside it can be told.
        heap=${KEYS_HEAP:-16g}
        JAVA_ARGS="-Xms$heap -Xmx$heap -XX:+AlwaysPreTouch $JAVA_ARGS"
        java io.flinkgpu.bench.KeysBench "$@"
        ;;
      peers) java io.flinkgpu.bench.Peers "$@" ;;
      search)
        JAVA_ARGS="-Xmx${SEARCH_HEAP:-48g} $JAVA_ARGS"
        java io.flinkgpu.bench.SearchBench "$@"
        ;;
      lookup) java io.flinkgpu.bench.LookupBench "$@" ;;
    esac
    ;;
  log-redaction) application LogRedaction --input 'INFO login of jane@example.com from 10.1.2.3' "$@" ;;
  generate-measurements) java io.flinkgpu.applications.GenerateMeasurements "$@" ;;
  one-billion-rows) application OneBillionRows --input 'Hamburg;12.0' "$@" ;;
  generate-documents) java io.flinkgpu.applications.GenerateDocuments "$@" ;;
  near-duplicates) java io.flinkgpu.applications.NearDuplicates "$@" ;;
  set-search)
    heap=${SEARCH_HEAP:-48g}
    JAVA_ARGS="-Xms$heap -Xmx$heap -XX:NewRatio=1 ${JAVA_ARGS:-}"
    application SetSearch --operations "$(printf 'U\t1\t1,2\nQ\tq\t1\t0\t0\t1')" "$@"
    ;;
  windows)
    JAVA_ARGS="-Dwindows.backend=CUDA -Dwindows.heapOnly=true -Dwindows.runs=${1:-400} ${JAVA_ARGS:-}"
    tests --select-class=io.flinkgpu.windows.WindowDifferentialTest \
      --select-class=io.flinkgpu.windows.ExactDoublesTest
    ;;
  sensor-windows) java io.flinkgpu.applications.SensorWindows "$@" ;;
  java) java "$@" ;;
esac
