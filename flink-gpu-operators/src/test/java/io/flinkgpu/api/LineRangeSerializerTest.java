package io.flinkgpu.api;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Flink's contract suite for serializers, and how Flink finds this one.
 *
 * <p>Covers: LineRangeSerializer.
 */
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
            new LineRange("a/b", 0, 7, 7, FilePolicy.DEFAULT.withMissingFile(MissingFile.SKIP)),
            new LineRange(
                    "a/b",
                    0,
                    7,
                    7,
                    new FilePolicy(
                            true, MissingFile.SKIP, FilePolicy.MOST_LINE_BYTES, LongLine.LABEL)),
            new LineRange("\u00e9", 0, Long.MAX_VALUE, Long.MAX_VALUE)
        };
    }

    /** Where a checkpoint has ranges on their way, they were written without a policy. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsWhatWasWrittenBeforeThereWerePolicies(boolean terminates) throws IOException {
        DataOutputSerializer old = new DataOutputSerializer(64);
        StringSerializer.INSTANCE.serialize("f", old);
        old.writeLong(1);
        old.writeLong(2);
        old.writeLong(3);
        old.writeBoolean(terminates);
        LineRange range =
                LineRangeSerializer.INSTANCE.deserialize(
                        new DataInputDeserializer(old.getCopyOfBuffer()));
        assertThat(range).isEqualTo(new LineRange("f", 1, 2, 3, terminates));
    }

    @Test
    void refusesWhatALaterReleaseWrote() throws IOException {
        DataOutputSerializer later = new DataOutputSerializer(64);
        StringSerializer.INSTANCE.serialize("f", later);
        later.writeLong(1);
        later.writeLong(2);
        later.writeLong(3);
        later.writeByte(9);
        assertThatThrownBy(
                        () ->
                                LineRangeSerializer.INSTANCE.deserialize(
                                        new DataInputDeserializer(later.getCopyOfBuffer())))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "a range of a file is of a version that this release does not know: flags=9;"
                                + " restore the job with the release that wrote it, or a later one");
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
