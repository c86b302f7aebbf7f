package io.flinkgpu.backend.cpu;

import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Lengths and offsets near 2^31, as far as they show without a text that is so large. */
class LargeTextsTest {

    private final BufferAllocator allocator = new RootAllocator(1 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void aTextInAnotherCaseHasRoom() {
        assertThat(CaseMapping.mostBytes(1_500_000_000)).isEqualTo(2_250_000_000L);
    }

    @Test
    void aCopyThatIsLargerThanMemorySaysSo() {
        try (ArrowBuf offsets = allocator.buffer(8)) {
            offsets.setInt(0, 0);
            offsets.setInt(4, Integer.MAX_VALUE);
            TextView text = new TextView(1, 0, offsets.memoryAddress(), 0);
            assertThatThrownBy(() -> new TextWriter(allocator, text))
                    .isInstanceOf(OutOfMemoryException.class);
        }
    }
}
