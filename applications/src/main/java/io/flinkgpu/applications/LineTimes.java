package io.flinkgpu.applications;

import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/** Times that stand for the order in which lines are to count. */
final class LineTimes {

    /** Lines between two watermarks: few, as a shard has to sort those that wait, and watermarks are cheap. */
    private static final long LINES = 1 << 10;

    /** The same for elements and documents. */
    private static final long DOCUMENT_STEP = 64 * LINES;

    private LineTimes() {}

    /**
     * Documents: no matter in which order, as each has its own id. Elements are counted, so that readers get
     * on alike, whether theirs are long or short: a shard has to wait for the last one.
     */
    static WatermarkStrategy<SearchOperation> ofDocuments() {
        return strategy(DOCUMENT_STEP, context -> new Counter());
    }

    /** A time after those of all documents. */
    static long afterDocuments(LineCounts documents) {
        return documents.commas() + 2 * documents.lines();
    }

    /**
     * The order of the lines.
     *
     * @param first of the first line
     */
    static <T extends NumberedLine> WatermarkStrategy<T> inOrder(long first) {
        return strategy(LINES, context -> (operation, none) -> first + operation.line());
    }

    private static <T> WatermarkStrategy<T> strategy(
            long step, TimestampAssignerSupplier<T> times) {
        return WatermarkStrategy.<T>forGenerator(context -> new Steps<>(step))
                .withTimestampAssigner(times);
    }

    private static final class Counter implements TimestampAssigner<SearchOperation> {

        private long next;

        @Override
        public long extractTimestamp(SearchOperation operation, long none) {
            long time = next;
            next += 1 + operation.elements().length;
            return time;
        }
    }

    private static final class Steps<T> implements WatermarkGenerator<T> {

        private final long step;
        private long next = Long.MIN_VALUE;

        Steps(long step) {
            this.step = step;
        }

        @Override
        public void onEvent(T operation, long time, WatermarkOutput output) {
            if (time >= next) {
                output.emitWatermark(new Watermark(time - 1));
                next = time + step;
            }
        }

        /** They depend on records alone. */
        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }
}
