package io.flinkgpu.api;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flink's contract suite for serializers, and how Flink finds this one.
 *
 * <p>Covers: LineChunkSerializer.
 */
class LineChunkSerializerTest extends SerializerTestBase<LineChunk> {

    @Override
    protected TypeSerializer<LineChunk> createSerializer() {
        return LineChunkSerializer.INSTANCE;
    }

    @Override
    protected int getLength() {
        return -1;
    }

    @Override
    protected Class<LineChunk> getTypeClass() {
        return LineChunk.class;
    }

    @Override
    protected LineChunk[] getTestData() {
        return new LineChunk[] {
            new LineChunk("", 0, new byte[0]),
            new LineChunk("a/b", 1L << 40, new byte[] {'x', '\n', (byte) 0xff}),
            new LineChunk("\u00e9", 7, new byte[20_000]),
            LineChunk.ofRecord("a", 0, new byte[0]),
            LineChunk.ofRecord("b", 5, new byte[] {'x', '\n', 'y'})
        };
    }

    @Test
    void isFoundByClass() {
        assertThat(TypeInformation.of(LineChunk.class)).isEqualTo(LineChunkTypeInfo.INSTANCE);
    }
}
