package io.flinkgpu.operator;

import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.redact.RedactHarness;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;

import org.junit.jupiter.api.Test;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.redact.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invariant: no batch is open when a barrier passes, so no raw record is ever in state.
 *
 * <p>Covers: BatchEngine.
 */
class NoBatchOpenAtBarrierTest {

    @Test
    void emitsEverythingBeforeTheBarrier() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(2), Script.NONE)) {
            harness.open();
            for (int i = 0; i < 5; i++) {
                harness.processElement("secret " + i, i);
            }
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output())
                    .containsExactly("[X] 0", "[X] 1", "[X] 2", "[X] 3", "[X] 4");
            assertThat(harness.gauge("gpu.inFlightBatches")).isEqualTo(0);
            assertThat(harness.gauge("gpu.allocatedBytes")).isEqualTo(0L);
            assertThat(harness.flushes(FlushReason.CHECKPOINT)).isEqualTo(1);
        }
    }

    @Test
    void keepsNoState() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.processElement("secret", 0);
            harness.prepareSnapshotPreBarrier(1);
            OperatorSubtaskState state = harness.snapshot(1, 0);
            assertThat(state.hasState()).isFalse();
        }
    }

    @Test
    void goesOnBehindTheBarrier() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.processElement("secret 1", 0);
            harness.prepareSnapshotPreBarrier(1);
            harness.prepareSnapshotPreBarrier(2);
            harness.processElement("secret 2", 0);
            harness.prepareSnapshotPreBarrier(3);
            assertThat(harness.output()).containsExactly("[X] 1", "[X] 2");
            assertThat(harness.flushes(FlushReason.CHECKPOINT)).isEqualTo(2);
        }
    }
}
