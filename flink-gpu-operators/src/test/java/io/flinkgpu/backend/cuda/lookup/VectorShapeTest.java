package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: VectorShape.
 */
class VectorShapeTest {

    /** Of bytes there are eight more than the dimension, the scale and the bias. */
    @ParameterizedTest
    @CsvSource({
        "1, 32, 1",
        "24, 32, 1",
        "25, 64, 1",
        "56, 64, 1",
        "57, 128, 1",
        "120, 128, 1",
        "121, 256, 2",
        "248, 256, 2",
        "249, 384, 3",
        "65536, 65664, 513"
    })
    void noVectorSharesALine(int dimension, int stride, int lines) {
        VectorShape shape = VectorShape.of(EmbeddingTable.of("t", dimension, ElementType.INT8));
        assertThat(shape.vectorBytes()).isEqualTo(dimension + 8);
        assertThat(shape.stride()).isEqualTo(stride);
        assertThat(shape.lines()).isEqualTo(lines);
    }
}
