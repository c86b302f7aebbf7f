package io.flinkgpu.operator.window.local;

import io.flinkgpu.operator.window.Reading;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Groups, and rows that are sent by themselves, leave when they must and not before.
 *
 * <p>Covers: LocalOutput.
 */
@Timeout(60)
class LocalSendingTest {

    private static final WindowShape TUMBLING = WindowShape.tumbling(true, 10, 0);

    private LocalHarness<String> harness;

    enum Way {
        GROUPED_AS_THEY_COME,
        GROUPED_IN_BATCHES,
        ONE_BY_ONE,
        NEVER_GROUPED
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void leaveBeforeTheWatermarkThatFiresTheirFirstWindow(Way way) throws Exception {
        open(way, LocalHarness.of(WindowShape.sliding(true, 20, 10, 0)));
        harness.process("a", 1, 1.0, 103);
        harness.process("b", 1, 1.0, 105);
        harness.process("a", 2, 1.0, 107);
        harness.processWatermark(108);
        assertThat(harness.output()).containsExactly(new Watermark(108));
        harness.process("a", 4, 1.0, 109);
        harness.processWatermark(109);
        assertThat(harness.output()).last().isEqualTo(new Watermark(109));
        assertSums("a@100 7", "b@100 1");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void leaveBeforeABarrier(Way way) throws Exception {
        open(way, LocalHarness.of(TUMBLING));
        harness.process("a", 1, 1.0, 3);
        harness.process("a", 2, 1.0, 13);
        assertThat(harness.output()).isEmpty();
        harness.prepareSnapshotPreBarrier(1);
        assertSums("a@0 1", "a@10 2");
        harness.prepareSnapshotPreBarrier(2);
        assertSums("a@0 1", "a@10 2");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void leaveBeforeTheInputIsIdle(Way way) throws Exception {
        open(way, LocalHarness.of(TUMBLING));
        harness.process("a", 1, 1.0, 3);
        harness.processWatermarkStatus(WatermarkStatus.IDLE);
        assertThat(harness.output()).last().isEqualTo(WatermarkStatus.IDLE);
        assertSums("a@0 1");
        harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
        harness.process("a", 2, 1.0, 3);
        assertThat(harness.raw()).containsExactly(new Reading("a", 2, 1.0));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void leaveAtTheEndOfTheInput(Way way) throws Exception {
        open(way, LocalHarness.of(WindowShape.global()));
        harness.process("a", 1, 1.0, 3);
        harness.process("b", 2, null, 3);
        harness.process("a", 4, -3.0, 3);
        harness.endInput();
        assertSums("a@" + Long.MIN_VALUE + " 5", "b@" + Long.MIN_VALUE + " 2");
    }

    @Test
    void rowsOfAKeyKeepTheirOrderAndDoNotWaitForOthers() throws Exception {
        open(Way.NEVER_GROUPED, LocalHarness.of(WindowShape.global()).maxHeldMillis(5));
        harness.setProcessingTime(10);
        harness.process("a", 1, 1.0, 3);
        harness.setProcessingTime(13);
        harness.process("b", 5, 1.0, Long.MIN_VALUE);
        harness.process("a", 3, null, 2);
        harness.process("a", 2, 1.0, 7);
        harness.processWatermark(100);
        assertThat(harness.partials()).isEmpty();
        harness.setProcessingTime(15);
        assertThat(harness.partials()).noneMatch(SentGroup::isGroup);
        assertThat(harness.partials().stream().filter(row -> row.key().equals("a")))
                .extracting(row -> LocalHarness.results(row)[0])
                .containsExactly(1L, 3L, 2L);
        assertSums("a@" + Long.MIN_VALUE + " 6", "b@" + Long.MIN_VALUE + " 5");
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"GROUPED_AS_THEY_COME", "GROUPED_IN_BATCHES"})
    void allLeaveWhenThereIsNoMemoryForMore(Way way) throws Exception {
        open(way, LocalHarness.of(TUMBLING).maxRows(100).maxHeldBytes(1 << 16));
        long sum = 0;
        for (int i = 0; i < 5_000; i++) {
            harness.process("a key of many " + i % 2_500, i, 1e-300 * i, i % 20);
            sum += i;
        }
        assertThat(harness.partials()).isNotEmpty();
        harness.endInput();
        long sent = 0;
        for (SentGroup<String> group : harness.partials()) {
            sent += (Long) LocalHarness.results(group)[0];
        }
        assertThat(sent).isEqualTo(sum);
        assertThat(harness.metrics().counter("gpu.partials"))
                .isEqualTo(harness.partials().size())
                .isBetween(2_500L, 5_000L);
        assertThat(harness.metrics().counter("gpu.aggregatedRecords")).isEqualTo(5_000);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whatFitsIntoNoMemoryIsSentByItself(Way way) throws Exception {
        open(way, LocalHarness.of(TUMBLING).maxHeldBytes(1 << 12));
        String longKey = "long".repeat(2_000);
        harness.process("a", 1, 1.0, 1);
        harness.process(longKey, 2, 1.0, 1);
        harness.process(longKey, 4, null, 1);
        harness.process("a", 8, 1.0, 1);
        harness.processWatermark(9);
        assertThat(harness.output()).last().isEqualTo(new Watermark(9));
        assertSums("a@0 9", longKey + "@0 6");
    }

    /** A value far from the others widens the rows of its page, and there may be no memory for that. */
    @ParameterizedTest
    @ValueSource(ints = {1_600, 1 << 11, 1 << 13})
    void whatIsHalfAddedWhenMemoryRunsOutIsAddedOnce(int maxHeldBytes) throws Exception {
        open(Way.GROUPED_AS_THEY_COME, LocalHarness.of(TUMBLING).maxHeldBytes(maxHeldBytes));
        for (int i = 0; i < 2_000; i++) {
            double far = Math.scalb(1.0, 400 * (i % 5) - 1000);
            harness.process("k" + i % 10, 1, far, 3);
        }
        harness.endInput();
        long sum = 0;
        long numbers = 0;
        long values = 0;
        for (SentGroup<String> group : harness.partials()) {
            Object numberSum = LocalHarness.results(group)[0];
            sum += numberSum == null ? 0 : (Long) numberSum;
            numbers += group.partial().column(0).count();
            values += group.partial().column(1).count();
        }
        assertThat(List.of(sum, numbers, values)).containsOnly(2_000L);
    }

    private void open(Way way, LocalHarness.Builder<String> builder) throws Exception {
        switch (way) {
            case GROUPED_AS_THEY_COME -> builder.rowByRow();
            case GROUPED_IN_BATCHES -> {}
            case ONE_BY_ONE -> builder.rowByRow().sampleRows(1);
            case NEVER_GROUPED -> builder.asRows();
        }
        harness = builder.open();
        if (way == Way.ONE_BY_ONE) {
            harness.process("x", 0, null, 3);
            harness.prepareSnapshotPreBarrier(0);
            harness.getOutput().clear();
        }
    }

    /** By key and slice, whatever they are sent in. */
    private void assertSums(String... sums) {
        TreeMap<String, Long> actual = new TreeMap<>();
        for (SentGroup<String> sent : harness.partials()) {
            actual.merge(
                    sent.key() + "@" + sent.startMillis(),
                    (Long) LocalHarness.results(sent)[0],
                    Long::sum);
        }
        assertThat(actual.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()))
                .containsExactly(sums);
    }
}
