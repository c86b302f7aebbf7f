package io.flinkgpu.windows;

import io.flinkgpu.operator.SmallLimits;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;

import java.util.List;

/**
 * The operators that a job was built of.
 *
 * @param local before the shuffle; null if there is none
 * @param window behind it
 */
record Stages(
        OneInputTransformation<Reading, Object> local,
        OneInputTransformation<Object, Object> window) {

    /** Plans with batches of fewer rows have other limits that small, too. */
    private static final int FEW_ROWS = 64;

    static Stages of(Plan<?> plan, Plan.Engine engine) {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
        DataStream<Reading> readings =
                env.fromData(List.of(new Reading()), Types.POJO(Reading.class));
        Transformation<?> source = readings.getTransformation();
        OneInputTransformation<Object, Object> window =
                operator(plan.build(readings, engine).getTransformation());
        Transformation<?> shuffle = window.getInputs().get(0);
        if (!(shuffle instanceof PartitionTransformation)) {
            throw new IllegalStateException("no shuffle before the window operator: " + shuffle);
        }
        Transformation<?> before = shuffle.getInputs().get(0);
        if (before == source) {
            return new Stages(null, window);
        }
        OneInputTransformation<Reading, Object> local = operator(before);
        if (local.getInputs().get(0) != source) {
            throw new IllegalStateException("more than one operator before the shuffle: " + local);
        }
        int rows = plan.batchPolicy().maxRows();
        int maxHeldBytes = rows % 2 == 0 ? 1 << 11 : 1 << 13;
        return new Stages(
                rows < FEW_ROWS ? SmallLimits.of(local, maxHeldBytes, rows) : local, window);
    }

    @SuppressWarnings("unchecked") // Plans are of Readings; what lies between the stages is theirs.
    private static <IN, OUT> OneInputTransformation<IN, OUT> operator(Transformation<?> of) {
        return (OneInputTransformation<IN, OUT>) of;
    }
}
