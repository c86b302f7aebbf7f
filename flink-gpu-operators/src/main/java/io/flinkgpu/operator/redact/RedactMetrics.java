package io.flinkgpu.operator.redact;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * What redaction reports: metrics for those who watch the job, and Flink accumulators, {@code
 * redaction.*}, for those who wait for its end. Accumulators count since the job last started or
 * recovered, so after a failure they miss what was redacted before. Task thread only.
 */
@Internal
public final class RedactMetrics {

    private final Counter[] matches;
    private final LongCounter[] totalMatches;
    private final DeviceTime deviceTime;
    private final Counter hardRows;
    private final LongCounter rows;
    private final LongCounter bytes;
    private final LongCounter batches;

    public RedactMetrics(MetricGroup operatorGroup, RuntimeContext context, RuleSet rules) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        matches = new Counter[rules.size()];
        totalMatches = new LongCounter[rules.size()];
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.rule(i);
            matches[i] = group.addGroup("rule", rule.name()).counter("matches");
            totalMatches[i] = context.getLongCounter("redaction.matches." + rule.name());
        }
        deviceTime = new DeviceTime(operatorGroup);
        hardRows = group.counter("hardRows");
        rows = context.getLongCounter("redaction.rows");
        bytes = context.getLongCounter("redaction.bytes");
        batches = context.getLongCounter("redaction.batches");
    }

    /** Counts what was done for some rows. */
    public void redacted(RedactedBatch result) {
        long[] perRule = result.matchesPerRule();
        for (int i = 0; i < matches.length; i++) {
            matches[i].inc(perRule[i]);
            totalMatches[i].add(perRule[i]);
        }
        deviceTime.add(result.deviceNanos());
        hardRows.inc(result.hardRows());
    }

    /** Counts a batch that was emitted. */
    public void completed(int batchRows, int batchBytes) {
        rows.add(batchRows);
        bytes.add(batchBytes);
        batches.add(1L);
    }
}
