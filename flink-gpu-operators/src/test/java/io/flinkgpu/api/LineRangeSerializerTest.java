package io.flinkgpu.api;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Flink's contract suite for serializers, and how Flink finds this one. */
class LineRangeSerializerTest extends SerializerTestBase<LineRange> {

    @Override
    protected TypeSerializer<LineRange> createSerializer() {
        return LineRangeSerializer.INSTANCE;
    }

    @Override
    protected int getLength() {
        return -1;
    }

    @Override
    protected Class<LineRange> getTypeClass() {
        return LineRange.class;
    }

    @Override
    protected LineRange[] getTestData() {
        return new LineRange[] {
            new LineRange("", 0, 1, 1),
            new LineRange("a/b", 1L << 40, 7, (1L << 40) + 7),
            new LineRange("\u00e9", 0, Long.MAX_VALUE, Long.MAX_VALUE)
        };
    }

    @Test
    void isFoundByClass() {
        assertThat(TypeInformation.of(LineRange.class)).isEqualTo(LineRangeTypeInfo.INSTANCE);
    }
}
