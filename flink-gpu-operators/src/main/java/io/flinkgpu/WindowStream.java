package io.flinkgpu;

import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputKeySelector;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.keyed.WindowAggregateOperatorFactory;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SideOutputDataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;
import org.apache.flink.util.OutputTag;

/** The two operators of windows as the one that they are to the user. */
final class WindowStream<R> extends SingleOutputStreamOperator<R> {

    private static final String WINDOW = "gpu-window";

    private final SingleOutputStreamOperator<?> local;
    private final OutputTag<?> sideTag;

    /**
     * @param local the operator before the windows
     * @param sideTag that operator's side output; null if it has none
     */
    private WindowStream(
            SingleOutputStreamOperator<R> windows,
            SingleOutputStreamOperator<?> local,
            OutputTag<?> sideTag) {
        super(windows.getExecutionEnvironment(), windows.getTransformation());
        this.local = local;
        this.sideTag = sideTag;
    }

    /**
     * Shuffles what the first operator sends, and puts the windows behind.
     *
     * @param selector the key of a record
     * @param sendsBlocks whether the first operator sends blocks
     * @param sideTag that operator's side output; null if it has none
     */
    static <T, K, S, R> WindowStream<R> of(
            SingleOutputStreamOperator<WindowInput<S, T>> local,
            KeySelector<T, S> selector,
            boolean sendsBlocks,
            WindowPlan<T, K, S, R> plan,
            TypeInformation<R> type,
            OutputTag<?> sideTag) {
        KeyedStream<WindowInput<S, T>, S> shuffled =
                local.keyBy(new WindowInputKeySelector<>(selector), plan.keys().stateType());
        if (sendsBlocks) {
            // Watermarks in a checkpoint would be ahead of those that the local operator starts
            // with again, so that it would aggregate late records. Nor is the form of blocks one
            // for checkpoints, which may outlive a version of the library.
            RawRecords.align((PartitionTransformation<?>) shuffled.getTransformation());
        }
        return new WindowStream<>(
                shuffled.transform(WINDOW, type, new WindowAggregateOperatorFactory<>(plan)),
                local,
                sideTag);
    }

    /** Gives an operator the parallelism of its input, so that the two are chained. */
    static <X> SingleOutputStreamOperator<X> chained(
            SingleOutputStreamOperator<X> operator, DataStream<?> stream) {
        Transformation<?> input = stream.getTransformation();
        if (!isSpread(input)) {
            operator.getTransformation()
                    .setParallelism(input.getParallelism(), input.isParallelismConfigured());
        }
        return operator;
    }

    /** Whether the user has asked for the records to be spread over the next operator's subtasks. */
    private static boolean isSpread(Transformation<?> input) {
        return input instanceof PartitionTransformation<?> partitioned
                && !(partitioned.getPartitioner() instanceof ForwardPartitioner);
    }

    @Override
    public SingleOutputStreamOperator<R> uid(String uid) {
        local.uid(uid + "-local");
        return super.uid(uid);
    }

    @Override
    public <X> SideOutputDataStream<X> getSideOutput(OutputTag<X> tag) {
        return tag.equals(sideTag) ? local.getSideOutput(tag) : super.getSideOutput(tag);
    }

    /**
     * @throws UnsupportedOperationException always
     */
    @Override
    public SingleOutputStreamOperator<R> enableAsyncState() {
        throw new UnsupportedOperationException(
                "window aggregates access state in batches, not asynchronously; leave out"
                        + " enableAsyncState()");
    }
}
