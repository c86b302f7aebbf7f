#!/bin/sh
# Fetches a stand-alone program of the one billion row challenge from its public repository and compiles
# it, with a small Java runtime beside it, for the command peers: nothing of it belongs to this project.
#
#   benchmarks/one-brc.sh FOLDER [NAME ...]     default names: thomaswue artsiomkorzun jerrinot
#
# Needs git, a network and a JDK 22+ (JAVA_HOME). Then: sh run.sh peers --one-brc FOLDER
# Programs run in a JVM with archived classes of Java's own, with the options of their own start scripts;
# the native images that GraalVM can make of some of them are not made.
# ONE_BRC_REPOSITORY names another place to clone from, ONE_BRC_COMMIT another commit than the one that was measured.
set -eu

out=${1:?usage: one-brc.sh FOLDER [NAME ...]}
shift
[ $# -gt 0 ] || set -- thomaswue artsiomkorzun jerrinot
repository=${ONE_BRC_REPOSITORY:-https://github.com/gunnarmorling/1brc}
commit=${ONE_BRC_COMMIT:-3372b6b29072af7359c5137bd1893d98828029a2}
java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}

mkdir -p "$out"
rm -rf "$out/source" "$out/classes" "$out/jre" "$out"/*.options
git init -q "$out/source"
git -C "$out/source" fetch -q --depth 1 "$repository" "$commit"
git -C "$out/source" checkout -q FETCH_HEAD
for name; do
  "$java_home/bin/javac" -nowarn -Xlint:none -XDignore.symbol.file -d "$out/classes" \
    "$out/source/src/main/java/dev/morling/onebrc/CalculateAverage_$name.java"
  sed -n 's/^ *JAVA_OPTS="\(.*\)"$/\1/p' "$out/source/calculate_average_$name.sh" |
    tail -1 > "$out/CalculateAverage_$name.options"
done
"$java_home/bin/jlink" --add-modules java.base,java.logging,jdk.unsupported --strip-debug \
  --no-header-files --no-man-pages --generate-cds-archive --output "$out/jre"
rm -rf "$out/source"
echo "one-brc: $* of commit $commit in $out"
