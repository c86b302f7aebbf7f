package io.flinkgpu.api;

import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Chunks of their own lines and of lent ones are the same, as long as the lines are lent.
 *
 * <p>Covers: LineChunk.
 */
class LineChunkTest {

    private static final byte[] BYTES = "one\ntwo\nthree".getBytes(StandardCharsets.UTF_8);
    private static final LineChunk OWN = new LineChunk("f", 7, BYTES);

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 13, 100})
    void writesTheSame(int stepBytes) throws IOException {
        LineChunk chunk = new LineChunk("f", 7, lent(BYTES));
        assertThat(written(chunk, stepBytes)).isEqualTo(BYTES);
        assertThat(written(OWN, stepBytes)).isEqualTo(BYTES);
        chunk.bytes();
        assertThat(written(chunk, stepBytes)).isEqualTo(BYTES);
    }

    @Test
    void isTheSame() {
        LineChunk chunk = new LineChunk("f", 7, lent(BYTES));
        assertThat(chunk).hasToString(OWN.toString());
        assertThat(chunk.lengthBytes()).isEqualTo(OWN.lengthBytes()).isEqualTo(13);
        assertThat(chunk).isEqualTo(OWN).hasSameHashCodeAs(OWN);
        assertThat(OWN).isEqualTo(chunk);
        assertThat(chunk).isNotEqualTo(new LineChunk("f", 7, lent(new byte[13])));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "a", "a\n", "a\nb"})
    void endsTheSame(String lines) {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        boolean isTerminated = lines.endsWith("\n");
        assertThat(new LineChunk("f", 7, bytes).isTerminated()).isEqualTo(isTerminated);
        assertThat(new LineChunk("f", 7, lent(bytes)).isTerminated()).isEqualTo(isTerminated);
    }

    @Test
    void isSerializedTheSame() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(1);
        LineChunkSerializer.INSTANCE.serialize(new LineChunk("f", 7, lent(BYTES)), out);
        assertThat(
                        LineChunkSerializer.INSTANCE.deserialize(
                                new DataInputDeserializer(out.getCopyOfBuffer())))
                .isEqualTo(OWN);
    }

    @Test
    void keepsWhatWasCopiedInTime() throws IOException {
        byte[] memory = BYTES.clone();
        LineChunk chunk;
        try (LentLines lent = lent(memory)) {
            chunk = new LineChunk("f", 7, lent);
            assertThat(chunk.bytes()).isEqualTo(BYTES).isNotSameAs(memory);
        }
        memory[0] = 'x';
        assertThat(chunk.bytes()).isEqualTo(BYTES).isSameAs(chunk.bytes());
        assertThat(written(chunk, 5)).isEqualTo(BYTES);
        assertThat(chunk.isTerminated()).isFalse();
    }

    @Test
    void whatIsReadTooLateFails() {
        LineChunk chunk;
        try (LentLines lent = lent(BYTES)) {
            chunk = new LineChunk("f", 7, lent);
        }
        String message =
                "lent lines are read by the sink that they are given to, before it returns:"
                        + " chunk=LineChunk[f@7, 13 bytes]; call bytes() there to keep them, or use"
                        + " redactLines";
        assertThatThrownBy(chunk::bytes)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> written(chunk, 5)).hasMessage(message);
        assertThatThrownBy(chunk::isTerminated).hasMessage(message);
        assertThatThrownBy(chunk::hashCode).hasMessage(message);
    }

    private static LentLines lent(byte[] memory) {
        return new LentLines(
                memory.length,
                (from, target, length) -> System.arraycopy(memory, from, target, 0, length));
    }

    private static byte[] written(LineChunk chunk, int stepBytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        chunk.writeTo(out, new byte[stepBytes]);
        return out.toByteArray();
    }
}
