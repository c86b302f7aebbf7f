package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.plan.TransformedBatch;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a faulty device says of texts is refused before they are read by it.
 *
 * <p>Covers: TransformOutput.
 */
class TransformOutputTest {

    private final RootAllocator allocator = new RootAllocator();

    @AfterEach
    void closeAllocator() {
        allocator.close();
    }

    @Test
    void offsetsOfTextsRiseToTheirEnd() throws Exception {
        try (TransformOutput output = output(0, 4, 10);
                TransformedBatch batch = output.toBatch(0)) {
            assertThat(batch.columns().rows()).isEqualTo(2);
        }
        assertRefused(0, 11, 10);
        assertRefused(0, -4, 10);
        assertRefused(0, 4, 1 << 30);
        assertRefused(1, 4, 10);
    }

    private void assertRefused(int... offsets) {
        try (TransformOutput output = output(offsets)) {
            assertThatThrownBy(() -> output.toBatch(0))
                    .isInstanceOf(FatalDeviceException.class)
                    .hasMessageStartingWith(
                            "wrong in a result: the offsets of a column of texts: rows=2, ");
        }
    }

    /** Ten bytes of texts. */
    private TransformOutput output(int... offsets) {
        TransformOutput output = new TransformOutput(allocator, offsets.length - 1, 0);
        TransformOutput.Column column = output.add(ColumnType.TEXT, 0, 10);
        for (int i = 0; i < offsets.length; i++) {
            column.offsets().setInt(4L * i, offsets[i]);
        }
        return output;
    }
}
