#!/bin/sh
# Submits the log-redaction job to a running Flink cluster and waits for its end.
# Usage: run-job.sh [log-redaction options]
# FLINK_HOME  Flink (default: /opt/flink)
# JOB_JAR     the examples (default: $FLINK_HOME/examples/flink-gpu-applications.jar)
# JOBMANAGER  host:port of the cluster's REST server (default: as config.yaml says)
set -eu

flink=${FLINK_HOME:-/opt/flink}/bin/flink
jar=${JOB_JAR:-${FLINK_HOME:-/opt/flink}/examples/flink-gpu-applications.jar}

deadline=$(($(date +%s) + 120))
until "$flink" list ${JOBMANAGER:+-m "$JOBMANAGER"} >/dev/null 2>&1; do
    if [ "$(date +%s)" -ge "$deadline" ]; then
        echo "run-job: no answer from the JobManager${JOBMANAGER:+ at $JOBMANAGER}: see its log" >&2
        exit 1
    fi
    sleep 1
done

exec "$flink" run ${JOBMANAGER:+-m "$JOBMANAGER"} -c io.flinkgpu.applications.LogRedaction "$jar" "$@"
