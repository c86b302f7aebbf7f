package io.flinkgpu.api;

import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SearchResultSerializer;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetMatchesSerializer;
import io.flinkgpu.api.search.Similarity;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The library's own types as an earlier commit wrote them, which users may have in state. A file is written
 * once, by {@link #main}, and stays: another form needs another snapshot, or another version of it.
 *
 * <p>Covers: DeadLetterSerializer.
 */
class WrittenFormsTest {

    /** Named as the commit that its types are of. */
    private enum Written {
        FORMS_7C61F22,
        FORMS_E6A5EC1;

        String file() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".bin";
        }

        List<Form<?>> forms() {
            return switch (this) {
                case FORMS_7C61F22 -> linesAndWindows();
                case FORMS_E6A5EC1 -> searches();
            };
        }
    }

    private static final List<ValueSpec> SPECS =
            List.of(
                    new ValueSpec(
                            "v",
                            ColumnType.DOUBLE,
                            List.of(
                                    Aggregate.COUNT,
                                    Aggregate.MEAN,
                                    new CellAggregate(
                                            CellAggregate.Kind.TOP, "top", ColumnType.TEXT, 3))),
                    new ValueSpec("m", ColumnType.decimal(18, 1), List.of(Aggregate.SUM)));

    private record Form<T>(TypeSerializer<T> serializer, T value) {}

    private static List<Form<?>> searches() {
        long[] ids = {-1L << 40, 7};
        SetMatches matches =
                new SetMatches(Similarity.DICE, 9, ids, new int[] {8, 1}, new int[] {300, 1_024});
        return List.of(
                new Form<>(
                        new SearchResultSerializer<>(StringSerializer.INSTANCE),
                        new SearchResult<>("a query", matches)),
                new Form<>(SetMatchesSerializer.INSTANCE, matches));
    }

    private static List<Form<?>> linesAndWindows() {
        ResultSchema schema = new ResultSchema(SPECS);
        Object[] values = {3L, 0.25, Arrays.asList("a", null, "\u00e9"), new BigDecimal("-0.5")};
        return List.of(
                new Form<>(
                        LineChunkSerializer.INSTANCE,
                        new LineChunk(
                                "file:/a.log",
                                7,
                                "one\ntwo\n".getBytes(StandardCharsets.US_ASCII))),
                new Form<>(
                        LineRangeSerializer.INSTANCE,
                        new LineRange("file:/b.log", 1L << 33, 5, 1L << 34, true)),
                new Form<>(
                        new DeadLetterSerializer<>(StringSerializer.INSTANCE),
                        new DeadLetter<>("record", "a reason: x=\u00e9")),
                new Form<>(
                        new WindowResultTypeInfo<>(Types.STRING, SPECS)
                                .createSerializer(new SerializerConfigImpl()),
                        new WindowResult<>(
                                "key", 60_000, 120_000, new AggregateValues(schema, values))));
    }

    @ParameterizedTest
    @EnumSource
    void areRead(Written written) throws IOException {
        DataInputDeserializer source = new DataInputDeserializer(bytes(written));
        for (Form<?> form : written.forms()) {
            TypeSerializer<?> restored =
                    TypeSerializerSnapshot.readVersionedSnapshot(
                                    source, WrittenFormsTest.class.getClassLoader())
                            .restoreSerializer();
            assertThat(restored).isEqualTo(form.serializer);
            assertThat(restored.deserialize(source)).isEqualTo(form.value);
        }
        assertThat(source.available()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void areWritten(Written written) throws IOException {
        assertThat(write(written)).isEqualTo(bytes(written));
    }

    private static byte[] bytes(Written written) throws IOException {
        try (InputStream file = WrittenFormsTest.class.getResourceAsStream(written.file())) {
            return file.readAllBytes();
        }
    }

    private static byte[] write(Written written) throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(1024);
        for (Form<?> form : written.forms()) {
            write(form, target);
        }
        return target.getCopyOfBuffer();
    }

    private static <T> void write(Form<T> form, DataOutputSerializer target) throws IOException {
        TypeSerializerSnapshot.writeVersionedSnapshot(
                target, form.serializer.snapshotConfiguration());
        form.serializer.serialize(form.value, target);
    }

    /** Writes the newest file into the folder that is given. */
    public static void main(String[] args) throws IOException {
        Written newest = Written.FORMS_E6A5EC1;
        Files.write(Path.of(args[0], newest.file()), write(newest));
    }
}
