#!/bin/sh
# Packs the GPU contract suite and the benchmarks, with a Java runtime and every jar they need, for a GPU
# machine that has neither Java nor Maven nor a network.
#
#   flink-gpu-operators/gpu-bundle.sh [--cudf JAR] [FOLDER]     default: .bundle
#
# --cudf names ai.rapids:cudf (classifier cuda13), by default that of the local Maven repository if it is
# there: the classes that call it are compiled and packed. The jar itself is not: carry it apart, and name
# it to peers.
#
# FOLDER then holds bundle.tar.xz.aa, .ab, ... of at most 56 MiB each and run.sh. Copy them together into
# one folder on the GPU machine and start what follows. keys also wants keys.tar.xz.*, the peers DuckDB and
# Flink SQL, and peers sql.tar.xz.*, SQL by our planner and by Flink's; both leave out what is not there.
#
# performance takes these as well, where they lie in that folder, and says what it leaves out:
#   cudf-*.jar                  libcudf
#   one-brc                     what benchmarks/one-brc.sh makes
#   champion and lengths.txt    what benchmarks/set-search-champion.sh makes, and lengths of documents
#
#   sh run.sh contract | fuzz [PAIRS] | smoke | bench [AXIS ...] [--input FOLDER] [--output FOLDER] [--quick] |
#     bench plots JSON [FOLDER] | keys windows|lines|plots [OPTIONS] |
#     search [AXIS ...] --lengths FILE [OPTIONS] | lookup [AXIS ...] [OPTIONS] | peers [OPTIONS] |
#     performance [PART ...] [--input FOLDER] [--output FOLDER] [--quick] |
#     log-redaction [OPTIONS] | windows [RUNS] |
#     sensor-windows [OPTIONS] | generate-measurements [OPTIONS] | one-billion-rows [OPTIONS] |
#     generate-documents [OPTIONS] | set-search [OPTIONS] | near-duplicates [OPTIONS] | java ARGS
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cudf=$(find "${HOME:-/nowhere}/.m2/repository/ai/rapids/cudf" -name 'cudf-*-cuda13.jar' 2> /dev/null |
  sort | tail -1)
if [ "${1:-}" = --cudf ]; then
  cudf=${2:?usage: gpu-bundle.sh [--cudf JAR] [FOLDER]}
  [ -f "$cudf" ] || {
    echo "gpu-bundle: no such jar: $cudf" >&2
    exit 2
  }
  shift 2
fi
out=${1:-$root/.bundle}
work=$root/flink-gpu-operators/target/gpu-bundle
modules=java.base,java.management,java.naming,java.logging,java.sql,java.xml,java.desktop,java.compiler
modules=$modules,java.instrument,java.net.http,java.scripting,jdk.unsupported,jdk.management,jdk.net
modules=$modules,jdk.zipfs,jdk.jfr,jdk.attach,java.security.jgss,java.rmi,java.management.rmi,jdk.crypto.ec

java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
[ -x "$java_home/bin/jlink" ] || {
  echo "gpu-bundle: no jlink in $java_home: set JAVA_HOME to a JDK 17+" >&2
  exit 2
}

echo "gpu-bundle: building kernels, library, tests, benchmarks and applications"
cd "$root"
rm -rf "$work" "$work-keys" "$work-sql" "$out"/*.tar.xz.* "$out"/run.sh
mkdir -p "$work/lib" "$work-keys/keys" "$work-sql/sql/lib" "$out"
./mvnw -B -q -ntp -am -pl applications,benchmarks,flink-gpu-sql-planner package -DskipTests \
  -Dspotless.check.skip dependency:copy-dependencies -DincludeScope=test -DoutputDirectory="$work/lib"
./mvnw -B -q -ntp dependency:copy -DoutputDirectory="$work/lib" \
  -Dartifact=org.junit.platform:junit-platform-console-standalone:1.11.4 -pl kernels
[ -f kernels/target/classes/io/flinkgpu/kernels/flinkgpu.fatbin ] || {
  echo "gpu-bundle: the kernels jar has no fatbin: put nvcc on the PATH and build again" >&2
  exit 2
}

# What only Flink's own test clusters and tests without a GPU need stays behind. Its ZooKeeper jar does not: Flink 2.3's
# OneInputStreamTask takes a shaded class from it.
rm -f "$work"/lib/flink-gpu-*.jar "$work"/lib/*testcontainers* \
  "$work"/lib/docker-java* "$work"/lib/jna-* "$work"/lib/icu4j-* "$work"/lib/onnxruntime-*

# Packs a jar again, not compressed, which xz makes less of; of its native libraries only those that match
# a pattern.
repack() {
  rm -rf "$work-jar"
  mkdir "$work-jar"
  (
    cd "$work-jar"
    "$java_home/bin/jar" -xf "$1"
    find . -type f \( -name '*.so' -o -name '*.so_*' -o -name '*.jnilib' -o -name '*.dll' \) \
      ! -name "$2" -delete
    for inner in *.jar; do
      [ ! -e "$inner" ] || (repack_inner "$PWD/$inner")
    done
    rm "$1"
    "$java_home/bin/jar" -c -f "$1" -0 -M .
  )
  rm -rf "$work-jar"
}
repack_inner() {
  mkdir "$1.d"
  cd "$1.d"
  "$java_home/bin/jar" -xf "$1"
  rm "$1"
  "$java_home/bin/jar" -c -f "$1" -0 -M .
  rm -rf "$1.d"
}
for jar in "$work"/lib/frocksdbjni-*.jar; do
  repack "$jar" librocksdbjni-linux64.so
done
mv "$work"/lib/duckdb_jdbc-* "$work"/lib/flink-cep-* "$work"/lib/flink-table-api-*bridge* \
  "$work"/lib/flink-table-runtime-* "$work"/lib/flink-table-planner-loader-* "$work-keys/keys/"
# Flink's planner as a library: only SQL's programs get it, beside which the one that Flink loads must not be.
mv "$work"/lib/flink-table-planner_* "$work"/lib/flink-table-api-scala_* "$work"/lib/scala-* \
  "$work"/lib/janino-* "$work"/lib/commons-compiler-* "$work"/lib/value-* "$work-sql/sql/lib/"
cp "$work-keys"/keys/flink-cep-* "$work-keys"/keys/flink-table-api-*bridge* \
  "$work-keys"/keys/flink-table-runtime-* flink-gpu-sql/target/flink-gpu-sql-*-SNAPSHOT.jar "$work-sql/sql/lib/"
cp -r flink-gpu-sql-planner/target/classes flink-gpu-sql-planner/target/test-classes "$work-sql/sql/"
for jar in "$work-keys"/keys/*.jar; do
  repack "$jar" '*_linux_amd64'
done
# Jars, whose classes can be archived; those of the tests are looked for in a folder.
for module in kernels flink-gpu-operators applications benchmarks; do
  cp "$module"/target/flink-gpu-*-SNAPSHOT.jar "$work/lib/"
done
cp -r flink-gpu-operators/target/test-classes "$work/test-classes"
if [ -n "$cudf" ]; then
  "$java_home/bin/javac" -cp "$cudf" --release 17 -d "$work/cudf" benchmarks/src/cudf/java/Cudf*.java
else
  echo "gpu-bundle: no libcudf in the local Maven repository, so peers can run without it: add --cudf JAR"
fi
"$java_home/bin/jlink" --add-modules $modules --strip-debug --no-header-files --no-man-pages \
  --compress=2 --output "$work/jre"

# Java draws text with libraries of the system, which a machine for computing may lack. Those of the C
# and C++ runtime must be its own.
mkdir "$work/native"
LD_LIBRARY_PATH=$work/jre/lib:$work/jre/lib/server ldd "$work/jre/lib/libfontmanager.so" |
  awk '$3 ~ /^\// { print $3 }' |
  grep -v -e "^$work" -e '/lib\(c\|m\|dl\|rt\|pthread\|gcc_s\|stdc++\)\.so' |
  xargs -r cp -L -t "$work/native"
git describe --always --dirty --exclude='*' > "$work/commit"

tar -C "$work" -cf - . | xz -T0 -1 | split -b 56M - "$out/bundle.tar.xz."
tar -C "$work-keys" -cf - . | xz -T0 -1 | split -b 56M - "$out/keys.tar.xz."
tar -C "$work-sql" -cf - . | xz -T0 -1 | split -b 56M - "$out/sql.tar.xz."
rm -rf "$work-keys" "$work-sql"
cp flink-gpu-operators/gpu-run.sh "$out/run.sh"
du -sh "$out" | awk '{ print "gpu-bundle: " $1 " in " $2 }'
