package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.windows.Window;

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
 * Our window operator, moved between 1 and 4 subtasks, against one subtask of Flink's.
 *
 * <p>Covers: WindowAggregateOperator.
 */
class RescaledWindowsTest {

    private static final long SEED = Long.getLong("seed", 20_261_123L);
    private static final int STEPS = 600;

    static Stream<Arguments> windows() {
        Duration interval = Duration.ofMillis(5);
        TumblingEventTimeWindows tumbling = TumblingEventTimeWindows.of(Duration.ofMillis(30));
        GlobalWindows allTime = GlobalWindows.create();
        return Stream.of(
                arguments(allTime, PurgingTrigger.of(CountTrigger.of(3)), false),
                arguments(allTime, CountTrigger.of(3), true),
                arguments(tumbling, ContinuousEventTimeTrigger.of(interval), true),
                arguments(
                        allTime,
                        PurgingTrigger.of(ContinuousProcessingTimeTrigger.of(interval)),
                        false),
                arguments(
                        SlidingProcessingTimeWindows.of(Duration.ofMillis(20), interval),
                        ProcessingTimeTrigger.create(),
                        false));
    }

    @ParameterizedTest
    @MethodSource("windows")
    <W extends Window> void goOnWhereTheyWere(
            WindowAssigner<Object, W> assigner, Trigger<Object, W> trigger, boolean rocksDb)
            throws Exception {
        Random random = new Random(SEED);
        WindowTrigger firing = WindowTrigger.of(assigner, WindowHarness.shape(assigner), trigger);
        List<String> expected = new ArrayList<>();
        List<String> actual = new ArrayList<>();
        WindowHarness<Row> flinks = WindowHarness.flinks(assigner, trigger, 0, false).start(null);
        Subtasks ours = new Subtasks(assigner, firing, rocksDb, 1 + random.nextInt(4), null);
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            int dice = random.nextInt(40);
            if (dice == 0) {
                OperatorSubtaskState state = ours.close(step);
                ours = new Subtasks(assigner, firing, rocksDb, 1 + random.nextInt(4), state);
                // Timers of this very time, which are set after it came, wait for a call in
                // harnesses.
                ours.setProcessingTime(now);
                flinks.setProcessingTime(now);
            } else if (dice < 8) {
                now += random.nextInt(4);
                flinks.setProcessingTime(now);
                ours.setProcessingTime(now);
                flinks.processWatermark(now);
                ours.processWatermark(now);
            } else {
                Row row = new Row("key" + random.nextInt(20), random.nextInt(100), null);
                long timestamp = now + 1 + random.nextInt(20);
                flinks.processElement(row, timestamp);
                ours.process(row, timestamp);
            }
            expected.addAll(flinks.takeResults());
            ours.takeResults(actual);
        }
        flinks.close();
        ours.close(STEPS);
        assertThat(expected).hasSizeGreaterThan(STEPS / 10);
        assertThat(actual).as("seed=%d", SEED).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Subtasks of one operator. */
    private static final class Subtasks {

        private final List<WindowHarness<WindowInput<String, Row>>> all = new ArrayList<>();

        Subtasks(
                WindowAssigner<Object, ?> assigner,
                WindowTrigger trigger,
                boolean rocksDb,
                int parallelism,
                OperatorSubtaskState state)
                throws Exception {
            for (int i = 0; i < parallelism; i++) {
                WindowHarness<WindowInput<String, Row>> subtask =
                        WindowHarness.subtask(assigner, trigger, parallelism, i);
                if (rocksDb) {
                    subtask.setStateBackend(new EmbeddedRocksDBStateBackend());
                }
                all.add(
                        subtask.start(
                                state == null
                                        ? null
                                        : WindowHarness.repartitionOperatorState(
                                                state,
                                                WindowHarness.MAX_PARALLELISM,
                                                WindowHarness.MAX_PARALLELISM,
                                                parallelism,
                                                i)));
            }
        }

        void process(Row row, long timestamp) throws Exception {
            int subtask =
                    KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            row.key(), WindowHarness.MAX_PARALLELISM, all.size());
            all.get(subtask).processElement(WindowInput.raw(row), timestamp);
        }

        void setProcessingTime(long time) throws Exception {
            for (WindowHarness<?> subtask : all) {
                subtask.setProcessingTime(time);
            }
        }

        void processWatermark(long timestamp) throws Exception {
            for (WindowHarness<?> subtask : all) {
                subtask.processWatermark(timestamp);
            }
        }

        void takeResults(List<String> into) {
            all.forEach(subtask -> into.addAll(subtask.takeResults()));
        }

        /** Takes a checkpoint first. */
        OperatorSubtaskState close(long checkpoint) throws Exception {
            OperatorSubtaskState[] states = new OperatorSubtaskState[all.size()];
            for (int i = 0; i < states.length; i++) {
                states[i] = all.get(i).checkpoint(checkpoint);
                all.get(i).close();
            }
            return WindowHarness.repackageState(states);
        }
    }
}
