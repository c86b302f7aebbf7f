package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.api.lines.MalformedLine;
import io.flinkgpu.operator.FlushReason;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import static io.flinkgpu.operator.lines.LineHarness.GLOBAL;
import static io.flinkgpu.operator.lines.LineHarness.MALFORMED;
import static io.flinkgpu.operator.lines.LineHarness.TUMBLING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/**
 * When groups of lines are sent, which lines are sent as rows, and where malformed lines go.
 *
 * <p>Covers: LineAggregateSpec, LineMetrics, LineBatchBuilder, LineCursor, LineOutput, RedactedLines.
 */
@Timeout(60)
class LineAggregateSpecTest {

    @Test
    void groupsOfAllBatchesAreHeldUntilTheEndOfTheStream() throws Exception {
        try (LineHarness harness = LineHarness.of(GLOBAL).maxRows(1).open()) {
            harness.process("a;1;5", "b;2;7", "a;3;1");
            harness.process("b;4;", "a;5;9");
            harness.runMails();
            assertThat(harness.output()).isEmpty();
            harness.processWatermark(7);
            assertThat(harness.output()).isEmpty();
            harness.processWatermark(Watermark.MAX_WATERMARK);
            assertThat(harness.output())
                    .containsExactly(
                            "a@all 3/1/9/15", "b@all 1/7/7/7", "watermark " + Long.MAX_VALUE);
            assertThat(harness.metrics().accumulator("lines.lines")).isEqualTo(5);
            assertThat(harness.metrics().accumulator("lines.batches")).isEqualTo(2);
            assertThat(harness.metrics().accumulator("lines.firstNanos")).isPositive();
            assertThat(harness.metrics().counter("gpu.partials")).isEqualTo(2);
        }
    }

    @Test
    void theWatermarkFollowsTheLinesAndSendsWhatItReaches() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).maxRows(1).open()) {
            harness.process("a;3;5", "b;14;7", "a;15;1");
            harness.processWatermark(100);
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("a@0 1/5/5/5", "watermark 9");
            harness.process("a;15;2");
            harness.runNextMail();
            assertThat(harness.output()).isEmpty();
            harness.process("b;25;3", "a;10;4");
            harness.runNextMail();
            assertThat(harness.output())
                    .containsExactly("b@10 1/7/7/7", "a@10 3/1/4/7", "watermark 19");
            harness.processWatermark(Watermark.MAX_WATERMARK);
            assertThat(harness.output())
                    .containsExactly("b@20 1/3/3/3", "watermark " + Long.MAX_VALUE);
        }
    }

    @Test
    void linesOfLateSlicesAreSentAsTheyAre() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).maxRows(1).open()) {
            harness.process("a;30;1");
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("watermark 24");
            harness.process("a;19;2", "b;20;3", "a;4;4", "c;31;5", "a;19;6");
            harness.runNextMail();
            assertThat(harness.output())
                    .containsExactly("raw a 19 2", "raw a 4 4", "raw a 19 6", "watermark 25");
            assertThat(harness.metrics().counter("gpu.rawLines")).isEqualTo(3);
            harness.endInput();
            assertThat(harness.output())
                    .containsExactlyInAnyOrder("a@30 1/1/1/1", "b@20 1/3/3/3", "c@30 1/5/5/5");
        }
    }

    @Test
    void wellFormedLinesThatTheBackendRefusedAreSentAsTheyAre() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).maxRows(1).open()) {
            harness.process("a;30;1", "hard;47;2", "hard;1;3");
            harness.runNextMail();
            // Its time counts for the watermark as well.
            assertThat(harness.output())
                    .containsExactly(
                            "raw hard 47 2", "raw hard 1 3", "a@30 1/1/1/1", "watermark 41");
            harness.process("a;41;1", "hard;2;9", "a;35;1", "x");
            assertThatThrownBy(harness::runNextMail)
                    .hasMessageContaining("line=(hidden: text of length 1)");
            assertThat(harness.output()).containsExactly("raw hard 2 9", "raw a 35 1");
        }
        try (LineHarness harness = LineHarness.of(GLOBAL).maxRows(1).open()) {
            harness.process("hard;47;2");
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("raw hard - 2");
        }
    }

    @Test
    void everythingIsSentBeforeABarrier() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).open()) {
            harness.process("a;3;5");
            harness.process("b;14;7");
            assertThat(harness.output()).isEmpty();
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output())
                    .containsExactly("watermark 8", "a@0 1/5/5/5", "b@10 1/7/7/7");
            assertThat(harness.metrics().flushes(FlushReason.CHECKPOINT)).isEqualTo(1);
            harness.process("a;9;5");
            harness.prepareSnapshotPreBarrier(2);
            assertThat(harness.output()).containsExactly("a@0 1/5/5/5");
        }
    }

    @Test
    void onceTheInputWasIdleEveryLineIsSentAsItIs() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).maxRows(1).open()) {
            harness.process("a;3;5");
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            assertThat(harness.output())
                    .containsExactly(
                            "watermark -3", "a@0 1/5/5/5", WatermarkStatus.IDLE.toString());
            harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
            harness.process("a;30;6", "b;31;7");
            harness.runNextMail();
            assertThat(harness.output())
                    .containsExactly(
                            WatermarkStatus.ACTIVE.toString(),
                            "raw a 30 6",
                            "raw b 31 7",
                            "watermark 25");
        }
        try (LineHarness harness = LineHarness.of(TUMBLING).maxRows(1).open()) {
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.process("a;30;6");
            harness.runNextMail();
            assertThat(harness.output())
                    .as("an idle input's watermarks are lost")
                    .containsExactly(
                            WatermarkStatus.IDLE.toString(),
                            "raw a 30 6",
                            WatermarkStatus.ACTIVE.toString(),
                            "watermark 24");
        }
        try (LineHarness harness = LineHarness.of(GLOBAL).maxRows(1).open()) {
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.process("a;3;5");
            harness.endInput();
            assertThat(harness.output())
                    .containsExactly(WatermarkStatus.IDLE.toString(), "a@all 1/5/5/5");
        }
    }

    @Test
    void groupsThatNothingIsLeftForAreSent() throws Exception {
        try (LineHarness harness = LineHarness.of(GLOBAL).maxHeldBytes(0).maxRows(1).open()) {
            harness.process("a;1;1", "a;1;2");
            harness.process("a;1;3");
            harness.endInput();
            assertThat(harness.output()).containsExactly("a@all 2/1/2/3", "a@all 1/3/3/3");
            assertThat(harness.metrics().counter("gpu.partials")).isEqualTo(2);
        }
        try (LineHarness harness = LineHarness.of(TUMBLING).maxHeldBytes(0).maxRows(1).open()) {
            harness.process("a;1;1", "a;30;2");
            harness.runNextMail();
            assertThat(harness.output())
                    .containsExactly("a@0 1/1/1/1", "a@30 1/2/2/2", "watermark 24");
        }
    }

    @Test
    void moreGroupsThanTheLimitAreSentInParts() throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        try (LineHarness harness = LineHarness.of(GLOBAL).maxHeldBytes(20_000).maxRows(1).open()) {
            for (int batch = 0; batch < 20; batch++) {
                String[] lines = new String[100];
                for (int i = 0; i < lines.length; i++) {
                    lines[i] = "key " + (batch * 7 + i * 31) % 500 + ";1;1";
                }
                harness.process(lines);
            }
            harness.prepareSnapshotPreBarrier(1);
            harness.output().stream()
                    .map(group -> group.split("@all |/"))
                    .forEach(
                            group ->
                                    counts.merge(
                                            group[0], Integer.parseInt(group[1]), Integer::sum));
            assertThat(counts.values().stream().mapToInt(count -> count).sum()).isEqualTo(2_000);
            assertThat(harness.metrics().counter("gpu.partials"))
                    .isGreaterThan(counts.size())
                    .isLessThan(2_000);
        }
    }

    @Test
    void linesThatABackendDidNotGroupAreAddedToTheGroupsThatAreHeld() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).maxRows(1).open()) {
            harness.process("lone;3;5", "a;3;1", "lone ß;14;7", "lone;3;", "lone;15;1");
            harness.runNextMail();
            assertThat(harness.output())
                    .containsExactlyInAnyOrder("a@0 1/1/1/1", "lone@0 1/5/5/5", "watermark 9");
            harness.process("lone;17;2", "lone b;17;");
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("watermark 11");
            harness.process("lone;9;3", "lone;19;4");
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("raw lone 9 3", "watermark 13");
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output())
                    .containsExactlyInAnyOrder(
                            "lone ß@10 1/7/7/7", "lone@10 3/1/4/7", "lone b@10 0/null/null/null");
            assertThat(harness.metrics().counter("gpu.ungroupedLines")).isZero();
            assertThat(harness.metrics().counter("gpu.partials")).isEqualTo(5);
        }
    }

    @Test
    void linesThatHaveNoRoomAreSentWithTheWatermarkThatReachesThem() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).maxHeldBytes(0).maxRows(1).open()) {
            harness.process("lone;3;5", "a;3;1", "lone ß;14;7", "lone;3;", "lone;15;1");
            harness.runNextMail();
            assertThat(harness.output())
                    .containsExactlyInAnyOrder(
                            "a@0 1/1/1/1",
                            "row lone@0 1/5/5/5",
                            "row lone@0 0/null/null/null",
                            "row lone@10 1/1/1/1",
                            "row lone ß@10 1/7/7/7",
                            "watermark 9");
            harness.process("lone;17;2");
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("watermark 11");
            harness.process("lone;9;3", "lone;19;4");
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("raw lone 9 3", "watermark 13");
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output())
                    .containsExactly("row lone@10 1/2/2/2", "row lone@10 1/4/4/4");
            assertThat(harness.metrics().counter("gpu.ungroupedLines")).isEqualTo(6);
            assertThat(harness.metrics().accumulator("lines.ungrouped")).isEqualTo(6);
            assertThat(harness.metrics().counter("gpu.rawLines")).isEqualTo(1);
            harness.process("lone;19;9");
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            assertThat(harness.output())
                    .containsExactly("row lone@10 1/9/9/9", WatermarkStatus.IDLE.toString());
        }
        try (LineHarness harness = LineHarness.of(GLOBAL).maxHeldBytes(0).open()) {
            harness.process("lone;3;5");
            harness.endInput();
            assertThat(harness.output()).containsExactly("row lone@all 1/5/5/5");
        }
    }

    @Test
    void chunksAreCollectedToBatches() throws Exception {
        try (LineHarness harness = LineHarness.of(GLOBAL).maxBytes(12).open()) {
            harness.process("a;1;1");
            harness.process("b;1;2");
            assertThat(harness.metrics().flushes(FlushReason.BYTES)).isEqualTo(1);
            harness.process("c;1;3");
            harness.process("long as it is;1;4", "a;1;5");
            harness.endInput();
            assertThat(harness.metrics().flushes(FlushReason.BYTES)).isEqualTo(3);
            assertThat(harness.output())
                    .containsExactly(
                            "a@all 2/1/5/6",
                            "b@all 1/2/2/2",
                            "c@all 1/3/3/3",
                            "long as it is@all 1/4/4/4");
        }
    }

    @Test
    void aBatchDoesNotWaitLongerThanThePolicySaysForMoreLines() throws Exception {
        try (LineHarness harness = LineHarness.of(TUMBLING).open()) {
            harness.setProcessingTime(0);
            harness.process("a;30;1");
            harness.setProcessingTime(49);
            // No lines: they do not make those before wait longer.
            harness.processElement(new StreamRecord<>(new LineChunk("f", 7, new byte[0])));
            assertThat(harness.metrics().flushes(FlushReason.DELAY)).isZero();
            harness.setProcessingTime(50);
            assertThat(harness.metrics().flushes(FlushReason.DELAY)).isEqualTo(1);
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("watermark 24");
        }
        try (LineHarness harness = LineHarness.of(GLOBAL).open()) {
            harness.process("a;30;1");
            harness.setProcessingTime(1_000);
            assertThat(harness.metrics().flushes(FlushReason.DELAY)).isZero();
        }
    }

    @Test
    void aMalformedLineFailsTheJobAndSaysWhereItIs() throws Exception {
        try (LineHarness harness = LineHarness.of(GLOBAL).maxRows(1).open()) {
            harness.process("a;1;1", "b;1;2");
            harness.runNextMail();
            harness.process("a;1;3", "a;x;4" + "\u0000".repeat(200), "c");
            assertThatThrownBy(harness::runNextMail)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(
                            "a line does not have the fields of its format: file=f, offsetBytes=18,"
                                    + " line=\\(hidden: text of length 205\\), reason: .*time.*;"
                                    + " correct it, or use malformed\\(Malformed.SKIP\\) or"
                                    + " malformed\\(tag\\), in SQL 'malformed' = 'skip'; GpuOptions.*, in SQL"
                                    + " 'error-detail' = 'full'");
        }
    }

    @Test
    void malformedLinesAreLeftOutAndCounted() throws Exception {
        try (LineHarness harness =
                LineHarness.of(GLOBAL).reading(r -> r.withMalformed(Malformed.SKIP)).open()) {
            harness.process("a;1;1", "", "b", "a;1;x");
            harness.process("a;1;2;");
            harness.process("a;1;2");
            harness.endInput();
            assertThat(harness.output()).containsExactly("a@all 2/1/2/3");
            assertThat(harness.metrics().counter("gpu.malformedLines")).isEqualTo(4);
            assertThat(harness.metrics().accumulator("lines.malformed")).isEqualTo(4);
            assertThat(harness.metrics().accumulator("lines.lines")).isEqualTo(6);
        }
    }

    @Test
    void malformedLinesGoToTheirTag() throws Exception {
        try (LineHarness harness =
                LineHarness.of(TUMBLING).reading(r -> r.withMalformed(MALFORMED)).open()) {
            harness.process("a;30;1", "bad \u00e4\r");
            harness.process("b;1;1", "worse", "c;" + Long.MIN_VALUE + ";1");
            harness.endInput();
            assertThat(harness.malformed())
                    .extracting(
                            MalformedLine::file,
                            MalformedLine::offsetBytes,
                            line -> new String(line.line(), StandardCharsets.UTF_8))
                    .containsExactly(
                            tuple("f", 7L, "bad \u00e4\r"),
                            tuple("f", 21L, "worse"),
                            tuple("f", 27L, "c;" + Long.MIN_VALUE + ";1"));
            assertThat(harness.metrics().accumulator("lines.malformed")).isEqualTo(3);
        }
    }
}
