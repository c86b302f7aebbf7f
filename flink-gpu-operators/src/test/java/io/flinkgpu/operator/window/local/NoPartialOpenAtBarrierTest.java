package io.flinkgpu.operator.window.local;

import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invariant: no batch is open when a barrier passes, so a restored operator has all it needs.
 *
 * <p>Covers: LocalAggregator.
 */
@Timeout(60)
class NoPartialOpenAtBarrierTest {

    private static final WindowShape TUMBLING = WindowShape.tumbling(true, 10, 0);

    @Test
    void openAndInFlightBatchesAreEmittedBeforeTheBarrier() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).maxRows(2).open();
        for (int i = 0; i < 5; i++) {
            harness.process("a", 1, 1.0, 3);
        }
        harness.prepareSnapshotPreBarrier(1);
        assertThat(harness.partials()).hasSize(1);
        assertThat(LocalHarness.results(harness.partials().get(0))[1]).isEqualTo(5L);
        assertThat(harness.metrics().flushes(FlushReason.CHECKPOINT)).isEqualTo(1);
        OperatorSubtaskState state = harness.snapshot(1, 1);
        assertThat(state.hasState()).isFalse();
        harness.close();
    }

    @Test
    void aBarrierBehindAnotherFlushesNothing() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).open();
        harness.process("a", 1, 1.0, 3);
        harness.prepareSnapshotPreBarrier(1);
        harness.prepareSnapshotPreBarrier(2);
        assertThat(harness.metrics().flushes(FlushReason.CHECKPOINT)).isEqualTo(1);
        harness.close();
    }
}
