package io.flinkgpu.examples;

import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/** Times that stand for the order in which lines are to count. */
final class LineTimes {

    /** Lines between two watermarks: few, as a shard has to sort those that wait, and watermarks are cheap. */
    private static final int STEP = 1 << 10;

    private LineTimes() {}

    /** Documents: no matter in which order, as each has its own id; from 0 in each subtask. */
    static WatermarkStrategy<SearchOperation> ofDocuments() {
        return strategy(context -> new Counter());
    }

    /**
     * The order of the lines.
     *
     * @param first of the first line
     */
    static WatermarkStrategy<SearchOperation> inOrder(long first) {
        return strategy(context -> (operation, none) -> first + operation.line());
    }

    private static WatermarkStrategy<SearchOperation> strategy(
            TimestampAssignerSupplier<SearchOperation> times) {
        return WatermarkStrategy.<SearchOperation>forGenerator(context -> new Steps())
                .withTimestampAssigner(times);
    }

    private static final class Counter implements TimestampAssigner<SearchOperation> {

        private long next;

        @Override
        public long extractTimestamp(SearchOperation operation, long none) {
            return next++;
        }
    }

    private static final class Steps implements WatermarkGenerator<SearchOperation> {

        private long next = Long.MIN_VALUE;

        @Override
        public void onEvent(SearchOperation operation, long time, WatermarkOutput output) {
            if (time >= next) {
                output.emitWatermark(new Watermark(time - 1));
                next = time + STEP;
            }
        }

        /** They depend on records alone. */
        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }
}
