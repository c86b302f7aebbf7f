package io.flinkgpu.operator.window.local;

import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowShape;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: LocalGroups.
 */
class LocalGroupsTest {

    /** Whether rows are grouped one by one, in batches, or not at all. */
    @ParameterizedTest
    @ValueSource(strings = {"rows", "batches", "ungrouped"})
    void aLimitOfTimeSendsWhatNoWatermarkWould(String way) throws Exception {
        LocalHarness.Builder<String> builder =
                LocalHarness.of(WindowShape.global()).maxHeldMillis(10);
        if (way.equals("batches")) {
            builder.maxRows(1);
        } else {
            builder.rowByRow();
        }
        LocalHarness<String> harness = builder.sampleRows(way.equals("ungrouped") ? 1 : 100).open();
        harness.setProcessingTime(3);
        harness.process("a", 1, 1.0, 3);
        harness.process("b", 2, 2.0, 4);
        harness.process("b", 3, 3.0, 4);
        harness.prepareSnapshotPreBarrier(1);
        harness.getOutput().clear();
        harness.setProcessingTime(50);
        harness.process("a", 1, 1.0, 3);
        harness.process("b", 2, 2.0, 4);
        // Mails of the batches before may be among them.
        while (!harness.metrics().gauge("gpu.inFlightBatches").equals(0)) {
            harness.runNextMail();
        }
        harness.setProcessingTime(59);
        assertThat(harness.records()).isEmpty();
        harness.setProcessingTime(60);
        assertThat(harness.partials()).extracting(SentGroup::key).containsExactly("a", "b");
        harness.close();
    }
}
