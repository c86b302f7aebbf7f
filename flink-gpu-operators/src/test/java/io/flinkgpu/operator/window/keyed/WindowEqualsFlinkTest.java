package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.Window;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Our window operator and Flink's in lockstep on random records, watermarks, clock ticks and restarts,
 * in which they may change their states with each other. Records come raw, or several as a partial.
 *
 * <p>Covers: WindowAggregateOperator, MergeBuffer, EventTimeFiring, FlinkWindows, Layer, RunStore, RunTiers,
 * SliceSums, WindowGroups.
 */
class WindowEqualsFlinkTest {

    private static final long SEED = Long.getLong("seed", 20240229L);
    private static final int RUNS = 8;
    private static final int STEPS = 250;

    static Stream<WindowAssigner<Object, ?>> assigners() {
        return Stream.of(
                TumblingEventTimeWindows.of(millis(10), millis(3)),
                SlidingEventTimeWindows.of(millis(12), millis(4)),
                SlidingEventTimeWindows.of(millis(10), millis(4), millis(-1)),
                SlidingEventTimeWindows.of(millis(4), millis(10)),
                SlidingEventTimeWindows.of(millis(16), millis(2), millis(1)),
                SlidingEventTimeWindows.of(millis(35), millis(3)),
                EventTimeSessionWindows.withGap(millis(4)),
                TumblingProcessingTimeWindows.of(millis(10)),
                SlidingProcessingTimeWindows.of(millis(10), millis(4)),
                SlidingProcessingTimeWindows.of(millis(20), millis(2)),
                GlobalWindows.createWithEndOfStreamTrigger());
    }

    @ParameterizedTest
    @MethodSource("assigners")
    void emitsWhatFlinksOperatorEmits(WindowAssigner<Object, ?> assigner) throws Exception {
        for (int i = 0; i < RUNS; i++) {
            new Run<>(assigner, SEED + i).run();
        }
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    /** One random run. */
    private static final class Run<W extends Window> {

        private final WindowAssigner<Object, W> assigner;
        private final WindowShape shape;
        private final Random random;
        private final long lateness;
        private final boolean lateOutput;
        private final int slices;
        private final String description;

        private WindowHarness<Row> flinks;
        private WindowHarness<WindowInput<String, Row>> ours;
        private long watermark = Long.MIN_VALUE;
        private long now = -30;
        private long checkpoint;

        /** Whether ours has its state in Flink's format now. */
        private boolean flinkState;

        private final long memoryBytes;
        private final boolean rocksDb;

        Run(WindowAssigner<Object, W> assigner, long seed) throws Exception {
            this.assigner = assigner;
            shape = WindowShape.of(assigner);
            random = new Random(seed);
            lateness = random.nextBoolean() ? 0 : random.nextInt(20);
            lateOutput = random.nextBoolean();
            slices = random.nextBoolean() ? 3 : 1 << 16;
            memoryBytes = random.nextInt(3) == 0 ? 1 : 1 << 30;
            rocksDb = random.nextInt(4) == 0;
            description =
                    String.format(
                            "%s lateness=%d lateOutput=%s slices=%d memoryBytes=%d rocksDb=%s seed=%d",
                            shape, lateness, lateOutput, slices, memoryBytes, rocksDb, seed);
        }

        void run() throws Exception {
            start(null, null);
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(20)) {
                    case 0, 1 -> advanceWatermark(Math.max(watermark, now - random.nextInt(12)));
                    case 2 -> setProcessingTime(flinks.getProcessingTime() + random.nextInt(5));
                    case 3 -> {
                        if (random.nextInt(3) == 0) {
                            restart();
                        }
                    }
                    case 4, 5, 6 -> addPartial();
                    default -> addRaw(row(), now - random.nextInt(25) + 5);
                }
                now += random.nextInt(3) == 0 ? random.nextInt(3) : 0;
                compare("step " + step);
            }
            advanceWatermark(Long.MAX_VALUE);
            setProcessingTime(flinks.getProcessingTime() + 1000);
            compare("the end");
            if (flinkState) {
                assertThat(ours.numEventTimeTimers()).as(description).isZero();
            }
            // What the last snapshot has left there goes with the next.
            ours.checkpoint(++checkpoint);
            if (!shape.isGlobal() || flinkState) {
                assertThat(ours.stateEntries() - ours.summaries())
                        .as(description)
                        .isEqualTo(shape.isGlobal() ? 3 : 0);
            }
            assertThat(ours.numProcessingTimeTimers()).as(description).isZero();
            flinks.close();
            ours.close();
        }

        private void addRaw(Row row, long timestamp) throws Exception {
            flinks.processElement(row, timestamp);
            ours.processElement(WindowInput.raw(row), timestamp);
        }

        /** Rows of a slice that is late nowhere; of a session, rows that touch. */
        private void addPartial() throws Exception {
            if (!shape.isEventTime()) {
                addRaw(row(), now);
                return;
            }
            long start = shape.sliceStart(now - random.nextInt(10) + 5);
            long end = shape.sliceEnd(start);
            if (shape.threshold(start, end) <= watermark) {
                return;
            }
            Row first = row();
            Row second = new Row(first.key(), random.nextInt(), null);
            flinks.processElement(first, start);
            long otherTime = end - 1 - random.nextInt((int) (end - start));
            flinks.processElement(second, otherTime);
            long allEnd = shape.isSession() ? shape.sliceEnd(otherTime) : end;
            ours.processElement(WindowHarness.block(start, allEnd, first, second), 0);
        }

        private void advanceWatermark(long timestamp) throws Exception {
            watermark = timestamp;
            flinks.processWatermark(timestamp);
            ours.processWatermark(timestamp);
        }

        private void setProcessingTime(long time) throws Exception {
            flinks.setProcessingTime(time);
            ours.setProcessingTime(time);
        }

        private void restart() throws Exception {
            checkpoint++;
            long time = flinks.getProcessingTime();
            OperatorSubtaskState ofFlinks = flinks.checkpoint(checkpoint);
            OperatorSubtaskState ofOurs = ours.checkpoint(checkpoint);
            if (flinkState) {
                assertThat(ours.stateEntries()).as(description).isEqualTo(flinks.stateEntries());
                assertThat(ours.numEventTimeTimers())
                        .as(description)
                        .isEqualTo(flinks.numEventTimeTimers());
            }
            flinks.close();
            ours.close();
            boolean exchange = flinkState && random.nextBoolean();
            start(exchange ? ofOurs : ofFlinks, exchange ? ofFlinks : ofOurs);
            setProcessingTime(time);
            // A watermark is not kept: it starts anew and so may go back.
            watermark = Long.MIN_VALUE;
        }

        private void start(OperatorSubtaskState ofFlinks, OperatorSubtaskState ofOurs)
                throws Exception {
            flinks = WindowHarness.flinks(assigner, lateness, lateOutput);
            flinkState = random.nextBoolean();
            ours =
                    WindowHarness.ours(
                            assigner, lateness, lateOutput, slices, memoryBytes, flinkState);
            if (rocksDb) {
                flinks.setStateBackend(new EmbeddedRocksDBStateBackend());
                ours.setStateBackend(new EmbeddedRocksDBStateBackend());
            }
            flinks.start(ofFlinks);
            ours.start(ofOurs);
        }

        private void compare(String when) {
            String as = when + " of " + description;
            List<String> expected = flinks.takeResults();
            assertThat(ours.takeResults()).as(as).isEqualTo(expected);
            assertThat(ours.takeLate()).as(as).isEqualTo(flinks.takeLate());
            assertThat(ours.counter("numLateRecordsDropped"))
                    .as(as)
                    .isEqualTo(flinks.counter("numLateRecordsDropped"));
        }

        private Row row() {
            Double real = random.nextInt(4) == 0 ? null : random.nextGaussian() * 1e10;
            return new Row("key" + random.nextInt(3), random.nextInt(), real);
        }
    }
}
