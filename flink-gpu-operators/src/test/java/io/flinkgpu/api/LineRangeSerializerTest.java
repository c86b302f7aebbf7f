package io.flinkgpu.api;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
            new LineRange("a/b", 1L << 40, 7, (1L << 40) + 7, true),
            new LineRange("\u00e9", 0, Long.MAX_VALUE, Long.MAX_VALUE)
        };
    }

    @Test
    void isFoundByClass() {
        assertThat(TypeInformation.of(LineRange.class)).isEqualTo(LineRangeTypeInfo.INSTANCE);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 1",
        "0, 0, 1",
        "0, 2, 1",
        "1, 1, 1",
        "9223372036854775807, 5, 10",
        "5, 9223372036854775807, 10"
    })
    void aRangeIsInItsFile(long offsetBytes, long lengthBytes, long fileBytes) {
        assertThatThrownBy(() -> new LineRange("f", offsetBytes, lengthBytes, fileBytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "a range is in its file: file=f, offsetBytes=" + offsetBytes);
    }
}
