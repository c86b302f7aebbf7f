package io.flinkgpu.operator;

import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.redact.RedactHarness;

import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributesBuilder;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.Test;

import java.util.List;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.redact.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invariant: a watermark never overtakes its rows, nor does any other mark.
 *
 * <p>Covers: BatchPipeline.
 */
class WatermarkOrderTest {

    private static final LatencyMarker LATENCY = new LatencyMarker(1, new OperatorID(), 0);
    private static final RecordAttributes BACKLOG =
            new RecordAttributesBuilder(List.of()).setBacklog(true).build();

    @Test
    void forwardsAMarkAtOnceIfNothingIsPending() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.processWatermark(1);
            assertThat(harness.output()).containsExactly(new Watermark(1));
        }
    }

    @Test
    void keepsEveryMarkAtItsPlaceAmongTheRowsOfABatch() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.processElement("secret 1", 1);
            harness.processWatermark(1);
            harness.processElement("secret 2", 2);
            harness.processWatermark(2);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.getOneInputOperator().processLatencyMarker(LATENCY);
            harness.processRecordAttributes(BACKLOG);
            assertThat(harness.output()).isEmpty();
            harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
            harness.processElement("secret 3", 3);
            harness.endInput();
            assertThat(harness.output())
                    .containsExactly(
                            "[X] 1",
                            new Watermark(1),
                            "[X] 2",
                            new Watermark(2),
                            WatermarkStatus.IDLE,
                            LATENCY,
                            BACKLOG,
                            WatermarkStatus.ACTIVE,
                            "[X] 3");
        }
    }

    @Test
    void keepsAMarkBehindBatchesThatAreOnTheirWay() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(1), Script.NONE)) {
            harness.open();
            harness.processElement("secret 1", 1);
            harness.processElement("secret 2", 2);
            harness.processWatermark(2);
            assertThat(harness.output()).isEmpty();
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output()).containsExactly("[X] 1", "[X] 2", new Watermark(2));
        }
    }

    @Test
    void emitsAllBeforeTheLastWatermark() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.processElement("secret", 1);
            harness.processWatermark(Watermark.MAX_WATERMARK);
            assertThat(harness.output()).containsExactly("[X]", Watermark.MAX_WATERMARK);
            assertThat(harness.flushes(FlushReason.WATERMARK)).isEqualTo(1);
        }
    }
}
