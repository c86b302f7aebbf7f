#!/bin/sh
# Collects what a Flink cluster needs: lib/ for Flink's own lib/, planner/ for SQL on batches, and the job jars.
# Usage: jars.sh FOLDER
set -eu
folder=$1
cd "$(dirname "$0")/.."
mkdir -p "$folder/lib" "$folder/planner"
folder=$(CDPATH='' cd -- "$folder" && pwd)

if command -v mvn >/dev/null 2>&1; then mvn=mvn; else mvn=./mvnw; fi
maven() {
    "$mvn" -B -ntp -q -DskipTests -Dmaven.test.skip=true -Dspotless.skip=true "$@"
}
maven -pl applications/kafka,flink-gpu-sql-planner-loader -am package
# Not package: that writes the class paths of examples/run, which these options would filter as well. Flink brings its
# own SLF4J and logging.
maven -pl flink-gpu-operators -am compile dependency:copy-dependencies \
    -DincludeScope=runtime -DexcludeGroupIds=org.slf4j,io.flinkgpu -DoutputDirectory="$folder/lib"
# The connector, which Flink does not bring, and what that needs.
maven -pl applications/kafka -am compile dependency:copy-dependencies -DincludeScope=runtime \
    -DincludeArtifactIds=flink-connector-kafka,flink-connector-base,kafka-clients,zstd-jni,lz4-java,snappy-java,jackson-core,jackson-databind,jackson-annotations,jackson-datatype-jsr310,jackson-datatype-jdk8 \
    -DoutputDirectory="$folder/lib"

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
copy flink-gpu-sql flink-gpu-sql "$folder/lib"
copy flink-gpu-sql-planner flink-gpu-sql-planner "$folder/planner"
copy flink-gpu-sql-planner-loader flink-gpu-sql-planner-loader "$folder/planner"
copy applications flink-gpu-applications "$folder"
copy applications/kafka flink-gpu-applications-kafka "$folder"

# The Kafka job shares classes with the other applications, and a job has one jar.
classes=$(mktemp -d)
(cd "$classes" && jar xf "$folder/flink-gpu-applications.jar" && jar xf "$folder/flink-gpu-applications-kafka.jar")
jar cf "$folder/flink-gpu-kafka.jar" -C "$classes" .
rm -r "$classes" "$folder/flink-gpu-applications-kafka.jar"
