package io.flinkgpu.backend.cpu;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Lengths and offsets near 2^31, as far as they show without a text that is so large. */
class LargeTextsTest {

    @Test
    void aTextInAnotherCaseHasRoom() {
        assertThat(CaseMapping.mostBytes(1_500_000_000)).isEqualTo(2_250_000_000L);
    }
}
