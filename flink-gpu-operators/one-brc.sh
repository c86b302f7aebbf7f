#!/bin/sh
# Fetches a stand-alone program of the one billion row challenge from its public repository and compiles
# it, with a small Java runtime beside it, for the command peers: nothing of it belongs to this project.
#
#   flink-gpu-operators/one-brc.sh FOLDER [NAME ...]     default names: thomaswue artsiomkorzun jerrinot
#
# Needs git, a network and a JDK 22+ (JAVA_HOME). Then: sh run.sh peers --one-brc FOLDER
# ONE_BRC_REPOSITORY names another place to clone from.
set -eu

out=${1:?usage: one-brc.sh FOLDER [NAME ...]}
shift
[ $# -gt 0 ] || set -- thomaswue artsiomkorzun jerrinot
repository=${ONE_BRC_REPOSITORY:-https://github.com/gunnarmorling/1brc}
java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}

mkdir -p "$out"
rm -rf "$out/source" "$out/classes" "$out/jre"
git clone -q --depth 1 "$repository" "$out/source"
for name; do
  "$java_home/bin/javac" -nowarn -Xlint:none -XDignore.symbol.file -d "$out/classes" \
    "$out/source/src/main/java/dev/morling/onebrc/CalculateAverage_$name.java"
done
"$java_home/bin/jlink" --add-modules java.base,jdk.unsupported --strip-debug --no-header-files --compress=2 \
  --no-man-pages --output "$out/jre"
rm -rf "$out/source"
echo "one-brc: $* in $out"
