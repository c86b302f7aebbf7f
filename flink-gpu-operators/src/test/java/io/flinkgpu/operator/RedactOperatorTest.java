package io.flinkgpu.operator;

import io.flinkgpu.operator.FakeBackend.Script;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.Test;

import static io.flinkgpu.operator.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;

/** What the operator emits, and when batches end. */
class RedactOperatorTest {

    @Test
    void redactsAndKeepsOrderAndTimestamps() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, Script.NONE)) {
            harness.open();
            harness.processElement("a secret", 7);
            harness.processElement(new StreamRecord<>("nothing"));
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(new StreamRecord<>("a [X]", 7), new StreamRecord<>("nothing"));
        }
    }
}
