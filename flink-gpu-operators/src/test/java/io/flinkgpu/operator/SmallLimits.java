package io.flinkgpu.operator;

import io.flinkgpu.operator.window.local.LocalAggregateSpec;

import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;

import java.lang.reflect.Field;

/** Local aggregations as they are built, with limits so small that small inputs reach them. */
public final class SmallLimits {

    private SmallLimits() {}

    /**
     * A local aggregation with other limits.
     *
     * @param local may be another operator, which is given back
     * @param maxHeldBytes what groups may take that wait to be sent
     * @param sampleRows how many rows are grouped before it is decided whether that pays
     */
    @SuppressWarnings("unchecked") // The types are those of the transformation.
    public static <IN, OUT> OneInputTransformation<IN, OUT> of(
            OneInputTransformation<IN, OUT> local, long maxHeldBytes, int sampleRows) {
        if (!(local.getOperatorFactory() instanceof BatchOperatorFactory<?, ?> factory)
                || !(job(factory).spec() instanceof LocalAggregateSpec<?, ?> spec)) {
            return local;
        }
        BatchJob<?, ?, ?> job = job(factory);
        BatchOperatorFactory<?, ?> changed =
                new BatchOperatorFactory<>(
                        changed(spec, maxHeldBytes, sampleRows),
                        job.options(),
                        job.backend(),
                        job.fallback());
        return new OneInputTransformation<>(
                (Transformation<IN>) local.getInputs().get(0),
                local.getName(),
                (BatchOperatorFactory<IN, OUT>) changed,
                local.getOutputType(),
                local.getParallelism());
    }

    private static <K, T> LocalAggregateSpec<K, T> changed(
            LocalAggregateSpec<K, T> spec, long maxHeldBytes, int sampleRows) {
        return new LocalAggregateSpec<>(
                spec.selector(),
                spec.keyType(),
                spec.aggregates(),
                spec.shape(),
                spec.sent(),
                spec.deadLetters(),
                maxHeldBytes,
                spec.maxHeldMillis(),
                sampleRows);
    }

    private static BatchJob<?, ?, ?> job(BatchOperatorFactory<?, ?> factory) {
        try {
            Field job = BatchOperatorFactory.class.getDeclaredField("job");
            job.setAccessible(true);
            return (BatchJob<?, ?, ?>) job.get(factory);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
