package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.backend.BackendFactory;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * What an operator of batches works with.
 *
 * @param runtime of the operator
 * @param output of the operator
 * @param options of these, the batch policy, the memory limit and the hash key are used
 * @param backend opens what runs the batches
 * @param fallback opens what runs a batch that the first backend has no memory for
 * @param copier copies records that are kept; null where the input leaves them alone
 * @param keyGroups how many key groups the keyed operator downstream has; that of this operator where
 *     none is
 * @param batchExecution whether that operator gets all records of one key, then all of the next
 */
@Internal
public record BatchContext<IN, OUT>(
        RuntimeContext runtime,
        Output<StreamRecord<OUT>> output,
        GpuOptions options,
        BackendFactory backend,
        BackendFactory fallback,
        TypeSerializer<IN> copier,
        int keyGroups,
        boolean batchExecution) {

    /** Where the operator's metrics are. */
    public MetricGroup metrics() {
        return runtime.getMetricGroup();
    }

    /** What the subtasks of this operator have in common, and no other operator nor a later attempt. */
    public String attempt() {
        return runtime.getJobInfo().getJobId()
                + "/"
                + ((StreamingRuntimeContext) runtime).getOperatorUniqueID()
                + "/"
                + runtime.getTaskInfo().getAttemptNumber();
    }

    /** The key of hashes, the caller's to fill with zeros; empty if none is needed. */
    public byte[] hashKey(boolean isNeeded) {
        return isNeeded ? options.hashKey().map(HashKey::load).orElseThrow() : new byte[0];
    }
}
