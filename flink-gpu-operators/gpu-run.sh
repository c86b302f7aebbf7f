#!/bin/sh
# Runs what gpu-bundle.sh packed. WRAP puts a tool in front of Java: WRAP="compute-sanitizer" sh run.sh contract
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=${BUNDLE_HOME:-$here/unpacked}
usage="commands are contract, fuzz, smoke, bench, keys, peers, search, lookup, performance, log-redaction, windows,
sensor-windows, generate-measurements, one-billion-rows, generate-documents, set-search, near-duplicates and java;
bench, keys, peers, search and lookup have --help;
performance [PART ...] [--input FOLDER] [--output FOLDER] [--quick], a PART is bench, peers, lines, search, windows, lookup;
all take some 12 minutes on an H200"
case ${1:-contract} in
  contract | fuzz | smoke | bench | keys | peers | search | lookup | performance) ;;
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
# An archive of its own, unless it is not there or was unpacked before.
unpack() {
  if [ ! -d "$home/$1" ] && [ -e "$here/$1.tar.xz.aa" ]; then
    cat "$here/$1".tar.xz.* | xz -dc -T0 | tar -C "$home" -xf -
  fi
}
# DuckDB and Flink SQL, which keys leaves out where they are not there.
peers_of_keys() {
  unpack keys
  class_path="$class_path:$home/keys/*"
}
# Runs a part of performance for so many seconds at most: one that fails or runs out stops no other.
part() {
  # A quick run shows that all works, on whatever machine.
  limit=$([ -z "$quick" ] && echo "$1" || echo 900)
  name=$2
  shift 2
  begin=$(date +%s)
  code=0
  (
    WRAP="exec timeout -k 5 $limit ${WRAP:-}"
    java "$@"
  ) &
  # Unlike what runs in the foreground, this lets a signal be heard at once.
  wait $! || code=$?
  echo "performance: $name took $(($(date +%s) - begin)) s of at most $limit, exit code $code"
  [ $code -eq 0 ] || status=1
}
# Lines of the one billion row challenge in memory, and what the peers need that is there.
part_of_peers() {
  set -- "$@" --output "$output"
  memory=$(mktemp -d -p /dev/shm || mktemp -d)
  trap 'rm -rf "$memory"' EXIT
  # Some shells end by a signal without the trap of their end.
  trap 'kill $! || :; exit 143' TERM
  trap 'kill $! || :; exit 130' INT
  measurements=$memory/measurements.txt
  if [ -z "$quick" ]; then
    part 40 measurements io.flinkgpu.applications.GenerateMeasurements --rows 1000000000 --output "$measurements"
    [ $code -ne 0 ] || set -- "$@" --measurements "$measurements"
  fi
  for jar in "$here"/cudf-*.jar; do
    [ ! -e "$jar" ] || set -- "$@" --cudf "$jar"
  done
  [ ! -d "$here/one-brc" ] || set -- "$@" --one-brc "$here/one-brc"
  unpack sql
  [ ! -d "$home/sql" ] || set -- "$@" --sql "$home/sql"
  part 260 peers io.flinkgpu.bench.Peers regex expression redaction names stations sql "$@"
  trap - EXIT TERM INT
  rm -rf "$memory"
}
part_of_search() {
  if [ ! -d "$here/champion" ] || [ ! -e "$here/lengths.txt" ]; then
    echo "left out: search; put lengths.txt, and champion of set-search-champion.sh, beside run.sh"
    return
  fi
  part 80 search io.flinkgpu.bench.SearchBench champion --skews 1 --repeats 3 --lengths "$here/lengths.txt" \
    --champion "$here/champion" --output "$output" "$@"
}
# What docs/performance.md shows, in the order of what it would miss most; some 12 minutes on an H200.
# shellcheck disable=SC2086
performance() {
  output=bench-report
  input=
  quick=
  parts=
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) quick=--quick ;;
      --input | --output)
        [ $# -gt 1 ] || {
          echo "run.sh: an option lacks its value: option='$1'; add a folder" >&2
          exit 2
        }
        if [ "$1" = --input ]; then input=$2; else output=$2; fi
        shift
        ;;
      bench | peers | lines | lookup | windows | search) parts="$parts $1" ;;
      *)
        echo "run.sh: no such part or option: '$1'; see run.sh --help" >&2
        exit 2
        ;;
    esac
    shift
  done
  # The peers of other parts are in processes of their own.
  peers_of_keys
  status=0
  engines=ours,flink,flink-sql
  set --
  if [ -e /dev/nvidiactl ]; then
    engines=$engines,ours-gpu
    set -- --backends cuda
  fi
  for part in ${parts:-bench peers lines search windows lookup}; do
    case $part in
      bench)
        part 220 bench io.flinkgpu.bench.Bench batch rules devices aggregate transform files latency records \
          ${input:+--input "$input"} --output "$output" $quick
        ;;
      peers) part_of_peers ${input:+--input "$input"} $quick ;;
      lines)
        (
          JAVA_ARGS="-Xmx32g $JAVA_ARGS"
          part 110 lines io.flinkgpu.bench.KeysBench lines --repeats 2 --output "$output" $quick
          exit $status
        ) || status=1
        ;;
      lookup)
        part 130 lookup io.flinkgpu.bench.LookupBench device stream \
          ${quick:---rate 20000 --seconds 2 --samples 4000000 --parallelism 8} \
          --output "$output" "$@"
        ;;
      windows)
        (
          JAVA_ARGS="-Xmx32g $JAVA_ARGS"
          part 120 windows io.flinkgpu.bench.KeysBench windows tumbling-100000 count-10000-heap --rows 10000000 \
            --engines "$engines" --repeats 2 --no-memory --output "$output" $quick
          exit $status
        ) || status=1
        ;;
      search)
        (
          JAVA_ARGS="-Xmx48g $JAVA_ARGS"
          part_of_search "$@" $quick
          exit $status
        ) || status=1
        ;;
    esac
  done
  exit $status
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
    # So many of plain text and under forms each, and a fourth of it of fields.
    JAVA_ARGS="-Dfuzz.pairs=$(((${1:-1000000} * 4 + 8) / 9)) ${JAVA_ARGS:-}"
    tests --select-class=io.flinkgpu.testkit.CudaFuzzTest --select-class=io.flinkgpu.testkit.CudaFormsFuzzTest
    ;;
  smoke) tests --select-class=io.flinkgpu.backend.cuda.CudaSmokeTest ;;
  bench | keys | peers | search | lookup | performance)
    JAVA_ARGS="-Dbench.commit=$(cat "$home/commit") -Dbench.cudf=$home/cudf ${JAVA_ARGS:-}"
    # What draws text may be missing here.
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$home/native
    export LD_LIBRARY_PATH
    case $command in
      bench) java io.flinkgpu.bench.Bench "$@" ;;
      performance) performance "$@" ;;
      keys)
        peers_of_keys
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
