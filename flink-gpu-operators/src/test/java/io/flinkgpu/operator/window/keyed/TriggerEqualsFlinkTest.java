package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.Sent;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Our window operator and Flink's with the same trigger in lockstep, on random records, watermarks, clock
 * ticks and restarts. Time begins before 0, where Flink's triggers round towards it.
 *
 * <p>Covers: TriggerProbe.
 */
class TriggerEqualsFlinkTest {

    private static final long SEED = Long.getLong("seed", 20_261_123L);
    private static final int RUNS = Integer.getInteger("triggers.runs", 8);
    private static final int STEPS = 250;

    static Stream<Arguments> windows() {
        List<WindowAssigner<Object, TimeWindow>> timed =
                List.of(
                        TumblingEventTimeWindows.of(millis(20), millis(3)),
                        TumblingEventTimeWindows.of(millis(7)),
                        SlidingEventTimeWindows.of(millis(20), millis(8)),
                        SlidingEventTimeWindows.of(millis(4), millis(10)));
        List<Arguments> all = new ArrayList<>();
        for (WindowAssigner<Object, TimeWindow> assigner : timed) {
            all.add(arguments(assigner, ContinuousEventTimeTrigger.of(millis(5))));
            all.add(arguments(assigner, ContinuousProcessingTimeTrigger.of(millis(3))));
            all.add(
                    arguments(
                            assigner, PurgingTrigger.of(ContinuousEventTimeTrigger.of(millis(5)))));
            all.add(
                    arguments(
                            assigner,
                            PurgingTrigger.of(ContinuousProcessingTimeTrigger.of(millis(3)))));
        }
        GlobalWindows allTime = GlobalWindows.create();
        all.add(arguments(allTime, ContinuousEventTimeTrigger.of(millis(5))));
        all.add(arguments(allTime, PurgingTrigger.of(ContinuousEventTimeTrigger.of(millis(5)))));
        all.add(arguments(allTime, ContinuousProcessingTimeTrigger.of(millis(3))));
        all.add(
                arguments(
                        GlobalWindows.createWithEndOfStreamTrigger(),
                        PurgingTrigger.of(ContinuousProcessingTimeTrigger.of(millis(3)))));
        all.add(arguments(allTime, CountTrigger.of(3)));
        all.add(arguments(allTime, PurgingTrigger.of(CountTrigger.of(4))));
        all.add(arguments(allTime, PurgingTrigger.of(CountTrigger.of(-1))));
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("windows")
    <W extends Window> void emitsWhatFlinksOperatorEmits(
            WindowAssigner<Object, W> assigner, Trigger<Object, W> trigger) throws Exception {
        for (int i = 0; i < RUNS; i++) {
            new Run<>(assigner, trigger, SEED + i).run();
        }
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    /** One random run. */
    private static final class Run<W extends Window> {

        private final WindowAssigner<Object, W> assigner;
        private final Trigger<Object, W> trigger;
        private final Random random;
        private final long lateness;
        private final boolean lateOutput;
        private final boolean rocksDb;
        private final String description;

        private WindowHarness<Row> flinks;
        private WindowHarness<WindowInput<String, Row>> ours;
        private long watermark = Long.MIN_VALUE;
        private long now = -30;
        private long checkpoint;

        Run(WindowAssigner<Object, W> assigner, Trigger<Object, W> trigger, long seed) {
            this.assigner = assigner;
            this.trigger = trigger;
            random = new Random(seed);
            lateness = random.nextBoolean() ? 0 : random.nextInt(20);
            lateOutput = random.nextBoolean();
            rocksDb = random.nextInt(8) == 0;
            description =
                    String.format(
                            "%s %s lateness=%d lateOutput=%s rocksDb=%s seed=%d",
                            assigner, trigger, lateness, lateOutput, rocksDb, seed);
        }

        void run() throws Exception {
            start(null, null);
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(16)) {
                    case 0, 1 -> advanceWatermark(Math.max(watermark, now - random.nextInt(12)));
                    case 2, 3 -> setProcessingTime(flinks.getProcessingTime() + random.nextInt(5));
                    case 4 -> {
                        if (random.nextInt(3) == 0) {
                            restart();
                        }
                    }
                    case 5 -> {
                        if (trigger().sent() == Sent.ROWS) {
                            addBlock();
                        }
                    }
                    default -> {
                        Row row = row(key());
                        long timestamp = now - random.nextInt(25) + 5;
                        flinks.processElement(row, timestamp);
                        ours.processElement(WindowInput.raw(row), timestamp);
                    }
                }
                now += random.nextInt(3) == 0 ? random.nextInt(3) : 0;
                compare("step " + step);
            }
            setProcessingTime(flinks.getProcessingTime() + 50);
            // Flink's operator does not come back from the end of time in the window of all time.
            advanceWatermark(assigner instanceof GlobalWindows ? now + 100 : Long.MAX_VALUE);
            compare("the end");
            if (!(assigner instanceof GlobalWindows)) {
                assertThat(ours.gauge("heldGroups")).as(description).isEqualTo(0L);
            }
            flinks.close();
            ours.close();
        }

        /** Rows of a key, one by one and at once. */
        private void addBlock() throws Exception {
            String key = key();
            List<Row> rows = Stream.generate(() -> row(key)).limit(1 + random.nextInt(9)).toList();
            for (Row row : rows) {
                flinks.processElement(row, now);
            }
            ours.processElement(new StreamRecord<>(WindowHarness.rows(trigger(), rows)));
        }

        private WindowTrigger trigger() {
            return WindowTrigger.of(assigner, WindowHarness.shape(assigner), trigger);
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
            flinks.close();
            ours.close();
            start(ofFlinks, ofOurs);
            setProcessingTime(time);
            // A watermark is not kept: it starts anew and so may go back.
            watermark = Long.MIN_VALUE;
        }

        private void start(OperatorSubtaskState ofFlinks, OperatorSubtaskState ofOurs)
                throws Exception {
            flinks = WindowHarness.flinks(assigner, trigger, lateness, lateOutput).start(ofFlinks);
            ours =
                    WindowHarness.ours(
                            assigner, trigger(), lateness, lateOutput, 1 << 16, 1 << 30, false);
            if (rocksDb) {
                ours.setStateBackend(new EmbeddedRocksDBStateBackend());
            }
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

        private String key() {
            return "key" + random.nextInt(3);
        }

        private Row row(String key) {
            Double real = random.nextInt(4) == 0 ? null : random.nextGaussian() * 1e10;
            return new Row(key, random.nextInt(), real);
        }
    }
}
