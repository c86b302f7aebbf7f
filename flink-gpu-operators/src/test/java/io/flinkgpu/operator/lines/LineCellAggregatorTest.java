package io.flinkgpu.operator.lines;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

import static io.flinkgpu.operator.lines.LineHarness.GLOBAL;
import static io.flinkgpu.operator.lines.LineHarness.MALFORMED;
import static io.flinkgpu.operator.lines.LineHarness.TUMBLING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Lines whose groups have a cell: when groups, rows and records are sent, and what is in them.
 *
 * <p>Covers: LineCellAggregator.
 */
class LineCellAggregatorTest {

    private static final int NEVER = Integer.MAX_VALUE;

    @Test
    void groupsAreSentWithTheWatermarkThatReachesThem() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).openWithCell(NEVER)) {
            harness.process("a;3;1", "ß;4;7", "a;9;5", "a;3;");
            assertThat(harness.output()).containsExactly("watermark 3");
            harness.process("a;15;2");
            assertThat(harness.output())
                    .containsExactlyInAnyOrder("a@0 2/1/5/6/a", "ß@0 1/7/7/7/ß", "watermark 9");
            harness.process("late;8;1", "a;19;", "a;12;9");
            assertThat(harness.output()).containsExactly("raw late 8 1", "watermark 13");
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output()).containsExactly("a@10 2/2/9/11/a");
            assertThat(harness.metrics().counter("gpu.partials")).isEqualTo(3);
            assertThat(harness.metrics().counter("gpu.rawLines")).isEqualTo(1);
            assertThat(harness.metrics().accumulator("lines.lines")).isEqualTo(8);
            assertThat(harness.metrics().accumulator("lines.firstNanos")).isPositive();
        }
    }

    @Test
    void afterIdlenessEveryLineIsSentAsItIs() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).openWithCell(NEVER)) {
            harness.process("a;3;1");
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            assertThat(harness.output())
                    .containsExactly(
                            "watermark -3", "a@0 1/1/1/1/a", WatermarkStatus.IDLE.toString());
            harness.process("a;4;2");
            assertThat(harness.output())
                    .containsExactly(
                            "raw a 4 2", WatermarkStatus.ACTIVE.toString(), "watermark -2");
            harness.processWatermark(new Watermark(50));
            harness.processWatermark(Watermark.MAX_WATERMARK);
            assertThat(harness.output()).containsExactly("watermark " + Long.MAX_VALUE);
        }
    }

    @Test
    void linesThatHaveNoRoomAreSentWithTheirCells() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).maxHeldBytes(0).openWithCell(NEVER)) {
            harness.process("a;3;5", "a;3;", "b;15;1");
            assertThat(harness.output())
                    .containsExactlyInAnyOrder(
                            "row a@0 1/5/5/5/a",
                            "row a@0 0/null/null/null/null",
                            "row b@10 1/1/1/1/b",
                            "watermark 9");
            harness.process("b;17;2");
            assertThat(harness.output()).containsExactly("watermark 11");
            harness.endInput();
            assertThat(harness.output()).containsExactly("row b@10 1/2/2/2/b");
            assertThat(harness.metrics().counter("gpu.ungroupedLines")).isEqualTo(4);
        }
    }

    @Test
    void moreGroupsThanTheLimitAreSentInParts() throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        try (LineHarness harness =
                LineHarness.of(GLOBAL).maxHeldBytes(20_000).openWithCell(NEVER)) {
            for (int i = 0; i < 2_000; i++) {
                harness.process("key " + i * 31 % 500 + ";1;1");
            }
            harness.prepareSnapshotPreBarrier(1);
            harness.output().stream()
                    .map(group -> group.replace("row ", "").split("@all |/"))
                    .forEach(
                            group -> {
                                assertThat(group[5]).isEqualTo(group[0]);
                                counts.merge(group[0], Integer.parseInt(group[1]), Integer::sum);
                            });
            assertThat(counts).hasSize(500).allSatisfy((key, n) -> assertThat(n).isEqualTo(4));
            assertThat(harness.metrics().counter("gpu.partials")).isGreaterThan(500);
        }
    }

    /** Half of four lines begin no group; then sixteen times as many are sent as they are. */
    @Test
    void linesOfKeysThatHardlyRepeatAreNotGroupedForAWhile() throws Exception {
        try (LineHarness harness = LineHarness.of(GLOBAL).openWithCell(4)) {
            harness.process("a;1;1", "b;1;2", "c;1;3", "a;1;4");
            for (int i = 0; i < 64; i++) {
                harness.process("a;1;" + i);
            }
            assertThat(harness.metrics().counter("gpu.ungroupedLines")).isEqualTo(64);
            harness.process("a;1;1", "a;1;1");
            assertThat(harness.metrics().counter("gpu.ungroupedLines")).isEqualTo(64);
            harness.endInput();
            assertThat(harness.output()).contains("a@all 4/1/4/7/a", "row a@all 1/63/63/63/a");
        }
    }

    @Test
    void malformedLinesAreDealtWithAsElsewhere() throws Exception {
        try (LineHarness harness =
                LineHarness.of(GLOBAL)
                        .reading(reading -> reading.withMalformed(MALFORMED))
                        .openWithCell(NEVER)) {
            harness.process("a;1;1", "bad", "a;1;2");
            harness.endInput();
            assertThat(harness.output()).containsExactly("a@all 2/1/2/3/a");
            assertThat(harness.malformed()).singleElement().returns(6L, line -> line.offsetBytes());
        }
        try (LineHarness harness = LineHarness.of(GLOBAL).openWithCell(NEVER)) {
            assertThatThrownBy(() -> harness.process("a;1;1", "bad"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "a line does not have the fields of its format: file=f, offsetBytes=6");
        }
    }
}
