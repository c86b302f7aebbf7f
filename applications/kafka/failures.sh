#!/bin/sh
# Lets everything happen to a cluster of processes that may happen to it, and prints a table of what came out.
# Usage: failures.sh matrix [RATE [FAULT ..]]  each fault once, RATE messages a second (default: 1000)
#        failures.sh soak MINUTES [RATE]       a random fault each 30 s
# Where a tmpfs may be mounted, which root may, a disk is full as well. docs/reliability.md has results.
set -eu
cd "$(dirname "$0")/../.."
if command -v mvn >/dev/null 2>&1; then mvn=mvn; else mvn=./mvnw; fi
"$mvn" -B -ntp -q -pl applications/kafka -am -Dspotless.skip=true test-compile \
    dependency:build-classpath -Dmdep.outputFile=target/test.classpath
if [ -n "${JAVA_HOME-}" ]; then java=$JAVA_HOME/bin/java; else java=java; fi
cd applications/kafka
exec "$java" -Xmx1g --add-opens=java.base/java.nio=ALL-UNNAMED \
    -cp "target/test-classes:target/classes:$(cat target/test.classpath)" \
    io.flinkgpu.applications.kafka.FailureMatrix "$@"
