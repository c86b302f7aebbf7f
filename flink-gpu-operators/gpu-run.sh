#!/bin/sh
# Runs what gpu-bundle.sh packed. WRAP puts a tool in front of Java: WRAP="compute-sanitizer" sh run.sh contract
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=${BUNDLE_HOME:-$here/unpacked}
if [ ! -d "$home/jre" ]; then
  mkdir -p "$home"
  cat "$here"/bundle.tar.xz.* | xz -dc -T0 | tar -C "$home" -xf -
fi
class_path=$home/examples:$home/test-classes:$home/classes:$home/kernels:$home/lib/*
java() {
  # shellcheck disable=SC2086
  ${WRAP:-} "$home/jre/bin/java" -Xmx8g --add-opens=java.base/java.nio=ALL-UNNAMED \
    -Dgpu.required=true ${JAVA_ARGS:-} -cp "$class_path" "$@"
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
  bench | peers)
    JAVA_ARGS="-Dbench.commit=$(cat "$home/commit") ${JAVA_ARGS:-}"
    # What draws text may be missing here.
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$home/native
    export LD_LIBRARY_PATH
    case $command in
      bench) java io.flinkgpu.bench.Bench "$@" ;;
      peers) java io.flinkgpu.bench.Peers "$@" ;;
    esac
    ;;
  log-redaction) java io.flinkgpu.examples.LogRedaction "$@" ;;
  windows)
    JAVA_ARGS="-Dwindows.backend=CUDA -Dwindows.heapOnly=true -Dwindows.runs=${1:-400} ${JAVA_ARGS:-}"
    tests --select-class=io.flinkgpu.windows.WindowDifferentialTest \
      --select-class=io.flinkgpu.windows.ExactDoublesTest
    ;;
  sensor-windows) java io.flinkgpu.examples.SensorWindows "$@" ;;
  java) java "$@" ;;
  *)
    echo "run.sh: unknown command '$command': use contract, fuzz, smoke, bench, peers, log-redaction, windows, sensor-windows or java" >&2
    exit 2
    ;;
esac
